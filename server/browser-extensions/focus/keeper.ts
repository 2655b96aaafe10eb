/** Puts a field back to what it was. */
type Restore = () => void;

/**
 * Knows what was in masked fields before somebody acted. Lists, calendars and proposals of the browser change a field without an
 * event that could be stopped before: those changes are taken back, in the moment in which the first event would tell the page.
 */
export class Keeper {
  readonly #fields = new WeakMap<Element, Restore>();

  /** What is in the field is right. */
  note(field: Element): void {
    const restore = restoreOf(field);
    if (restore) this.#fields.set(field, restore);
  }

  /** Takes back what was changed since. */
  restore(field: Element): void {
    this.#fields.get(field)?.();
  }
}

function restoreOf(field: Element): Restore | undefined {
  if (field instanceof HTMLInputElement) {
    const { checked, value, type } = field;
    if (type === 'file') return undefined;
    return () => {
      if (field.checked !== checked) field.checked = checked;
      if (field.value !== value) field.value = value;
    };
  }
  if (field instanceof HTMLTextAreaElement) {
    const { value } = field;
    return () => {
      if (field.value !== value) field.value = value;
    };
  }
  if (field instanceof HTMLSelectElement) {
    const chosen = [...field.options].map(({ selected }) => selected);
    return () => [...field.options].forEach((option, index) => (option.selected = chosen[index] ?? false));
  }
  if (field instanceof HTMLElement && field.isContentEditable) {
    const copy = field.cloneNode(true);
    return () => field.replaceChildren(...copy.cloneNode(true).childNodes);
  }
  return undefined;
}
