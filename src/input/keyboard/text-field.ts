/**
 * Content of the field while it has no text: a zero-width space. On-screen keyboards report Backspace only in
 * a field with content. They do not complete or capitalize text after a zero-width space.
 */
const FILLING = '\u200b';
/** Minimum font size. Below it, phones zoom the page to a focused field. Pixels. */
const MIN_FONT_SIZE = 16;
/** Font size as a part of the line height. The remaining space is above and below the letters. */
const FONT_SHARE = 0.85;

/** Field properties that keyboards use, with the names and values of the HTML attributes. */
export interface FieldLook {
  inputMode: string;
  enterKeyHint: string;
  autocapitalize: string;
  autocomplete: string;
  /** True for a password. Then keyboards do not learn the text. */
  password: boolean;
}

/** A position in the surface, in the surface's own pixels. */
export interface FieldPlace {
  left: number;
  top: number;
  height: number;
}

/** Accessible description of the field: where keys go, and how to leave. */
const KEYS = 'Keys go to the remote browser. To leave it, press Control, Alt and Shift together.';

type Control = HTMLTextAreaElement | HTMLInputElement;

/**
 * The invisible text field that holds the keyboard focus for the remote screen. Input methods, dead keys,
 * emoji pickers and on-screen keyboards need a real editable element. Other keys need only an element with
 * the focus.
 */
export class TextField {
  /** Element that receives the field's events. It contains the current field. */
  readonly element: HTMLElement;
  readonly #area: HTMLTextAreaElement;
  /** Created for the first password field. */
  #secret: HTMLInputElement | undefined;
  #control: Control;
  #switching = false;
  #tabIndex = 0;

  constructor(private readonly surface: HTMLElement) {
    const { ownerDocument } = surface;
    this.element = ownerDocument.createElement('div');
    this.#control = this.#area = ownerDocument.createElement('textarea');
    // Uses the style object. A strict Content-Security-Policy allows it, but not a style attribute.
    Object.assign(this.element.style, {
      position: 'absolute',
      left: '0',
      top: '0',
      width: '1px',
      height: '1em',
      fontSize: `${MIN_FONT_SIZE}px`,
      overflow: 'hidden',
      opacity: '0',
      pointerEvents: 'none',
    } satisfies Partial<CSSStyleDeclaration>);
    this.#prepare(this.#area);
    // Without wrapping, the text stays on one line, so an input method shows its list at the line of the
    // caret.
    this.#area.wrap = 'off';
    surface.append(this.element);
    this.clear();
  }

  /** Allows or forbids the focus. A disabled field loses the focus. */
  set enabled(enabled: boolean) {
    if (!enabled) this.blur();
    for (const control of this.#controls) control.disabled = !enabled;
  }

  /** False: the Tab key skips the field. */
  set tabbable(tabbable: boolean) {
    this.#control.tabIndex = this.#tabIndex = tabbable ? 0 : -1;
  }

  get focused(): boolean {
    return (this.element.getRootNode() as Document | ShadowRoot).activeElement === this.#control;
  }

  /** True while the focus moves between the field's own elements. */
  get switching(): boolean {
    return this.#switching;
  }

  get inputMode(): string {
    return this.#control.inputMode;
  }

  /** Changes the properties of the field. The field keeps the focus. */
  become({ password, ...look }: FieldLook): void {
    const { focused } = this;
    const control = password ? (this.#secret ??= this.#makeSecret()) : this.#area;
    // Keeps the browser from saving or filling in passwords, because the remote fields belong to another
    // site.
    Object.assign(control, look, password && { autocomplete: 'one-time-code' });
    if (control === this.#control) return;
    // The Tab key must reach only the current element.
    this.#control.tabIndex = -1;
    control.tabIndex = this.#tabIndex;
    this.#control = control;
    if (focused) this.#switch(() => this.focus());
  }

  /** Focuses the field. */
  focus(): void {
    this.#control.focus({ preventScroll: true });
    this.clear();
  }

  /** Focuses the field again, because some phones read its properties only at a focus event. */
  refocus(): void {
    this.#switch(() => {
      this.#control.blur();
      this.focus();
    });
  }

  blur(): void {
    this.#control.blur();
  }

  /** Moves the field to a line of the surface, so that an input method shows its list there. */
  moveTo({ left, top, height }: FieldPlace): void {
    const { offsetWidth, offsetHeight } = this.surface;
    const inside = (value: number, size: number, own: number) =>
      `${Math.max(0, Math.min(size - own, value))}px`;
    const fontSize = `${Math.max(MIN_FONT_SIZE, Math.round(height * FONT_SHARE))}px`;
    Object.assign(this.element.style, {
      left: inside(left, offsetWidth, 1),
      top: inside(top, offsetHeight, height),
      height: `${height}px`,
      fontSize,
    });
  }

  /** Removes text that an input method has left in the field. */
  clear(): void {
    const control = this.#control;
    if (control.value !== FILLING) control.value = FILLING;
    control.setSelectionRange(FILLING.length, FILLING.length);
  }

  close(): void {
    this.element.remove();
  }

  get #controls(): Control[] {
    return this.#secret ? [this.#area, this.#secret] : [this.#area];
  }

  #switch(act: () => void): void {
    this.#switching = true;
    act();
    this.#switching = false;
  }

  #makeSecret(): HTMLInputElement {
    const secret = this.surface.ownerDocument.createElement('input');
    secret.type = 'password';
    secret.disabled = this.#area.disabled;
    this.#prepare(secret);
    return secret;
  }

  #prepare(control: Control): void {
    control.autocapitalize = 'off';
    control.autocomplete = 'off';
    control.spellcheck = false;
    control.setAttribute('autocorrect', 'off');
    control.setAttribute('aria-label', 'Remote browser');
    control.setAttribute('aria-description', KEYS);
    Object.assign(control.style, {
      display: 'block',
      boxSizing: 'border-box',
      width: '100%',
      height: '100%',
      padding: '0',
      border: '0',
      margin: '0',
      outline: 'none',
      resize: 'none',
      overflow: 'hidden',
      font: 'inherit',
      lineHeight: '1',
    } satisfies Partial<CSSStyleDeclaration>);
    // Safari blocks typing where selection is disabled, and many surfaces disable selection.
    control.style.setProperty('user-select', 'text');
    control.style.setProperty('-webkit-user-select', 'text');
    this.element.append(control);
  }
}
