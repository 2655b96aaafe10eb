/**
 * Something to delete: on-screen keyboards report Backspace only in a field that is not empty. A zero-width space keeps
 * them from completing or capitalising by what stands before.
 */
const FILLING = '\u200b';

/**
 * The invisible text field that holds the keyboard focus for the remote screen. Input methods, dead keys, emoji pickers
 * and on-screen keyboards need a real editable element; everything else only needs something that takes the focus.
 */
export class TextField {
  readonly element: HTMLTextAreaElement;

  constructor(private readonly surface: HTMLElement) {
    this.element = surface.ownerDocument.createElement('textarea');
    const { element } = this;
    element.autocapitalize = 'off';
    element.autocomplete = 'off';
    element.spellcheck = false;
    element.setAttribute('autocorrect', 'off');
    element.setAttribute('aria-label', 'Remote browser');
    element.setAttribute(
      'aria-description',
      'Keys go to the remote browser. Control, Alt and Shift together leave it.',
    );
    // Through the style object, which a strict Content-Security-Policy allows, unlike a style attribute.
    Object.assign(element.style, {
      position: 'absolute',
      left: '0',
      top: '0',
      width: '1px',
      height: '1em',
      padding: '0',
      border: '0',
      margin: '0',
      outline: 'none',
      resize: 'none',
      overflow: 'hidden',
      opacity: '0',
      pointerEvents: 'none',
      // Below 16 px, phones zoom the page in on a focused field.
      fontSize: '16px',
    } satisfies Partial<CSSStyleDeclaration>);
    // Safari lets nobody type where nothing can be selected, and surfaces often forbid that.
    element.style.setProperty('user-select', 'text');
    element.style.setProperty('-webkit-user-select', 'text');
    surface.append(element);
    this.clear();
  }

  /** Whether it can hold the keyboard; one that cannot lets go of it. */
  set enabled(enabled: boolean) {
    if (!enabled) this.blur();
    this.element.disabled = !enabled;
  }

  get focused(): boolean {
    return (this.element.getRootNode() as Document | ShadowRoot).activeElement === this.element;
  }

  /** Takes the keyboard. `keyboard`: whether a phone may bring up its on-screen keyboard for it. */
  focus(keyboard: 'shown' | 'hidden' | 'unchanged' = 'unchanged'): void {
    const { element } = this;
    if (keyboard !== 'unchanged') {
      const mode = keyboard === 'shown' ? 'text' : 'none';
      // Phones look at the mode when the focus comes, so it has to come again.
      if (element.inputMode !== mode && this.focused) element.blur();
      element.inputMode = mode;
    }
    element.focus({ preventScroll: true });
    this.clear();
  }

  blur(): void {
    this.element.blur();
  }

  /** Moves the field to where the user clicked, so that an input method opens its list there. */
  moveTo(clientX: number, clientY: number): void {
    const box = this.surface.getBoundingClientRect();
    const inside = (value: number, size: number) => `${Math.max(0, Math.min(size - 20, value))}px`;
    this.element.style.left = inside(clientX - box.left, box.width);
    this.element.style.top = inside(clientY - box.top, box.height);
  }

  /** Drops what an input method left behind. */
  clear(): void {
    if (this.element.value !== FILLING) this.element.value = FILLING;
    this.element.setSelectionRange(FILLING.length, FILLING.length);
  }

  close(): void {
    this.element.remove();
  }
}
