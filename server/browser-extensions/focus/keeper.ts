/** Restores a field's earlier content. */
type Restore = () => void;

/**
 * Stores the content of masked fields before a user acts. Lists, calendars and suggestions of the browser
 * change a field without a cancelable event. Those changes are undone when their first event is about to
 * reach the page.
 */
export class Keeper {
  readonly #fields = new WeakMap<Element, Restore>();

  /** Stores the field's present content as correct. */
  note(field: Element): void {
    const restore = restoreOf(field);
    if (restore) this.#fields.set(field, restore);
  }

  /** Undoes all changes of the field since the last {@link note}. */
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
