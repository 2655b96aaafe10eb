/**
 * Something to delete: on-screen keyboards report Backspace only in a field that is not empty. A zero-width space keeps
 * them from completing or capitalising by what stands before.
 */
const FILLING = '\u200b';
/** Below it, phones zoom the page in on a focused field. Pixels. */
const MIN_FONT_SIZE = 16;
/** Of a line's height; the rest is above and below the letters. */
const FONT_SHARE = 0.85;

/** What the field is to keyboards; each as the HTML attribute of that name has it. */
export interface FieldLook {
  inputMode: string;
  enterKeyHint: string;
  autocapitalize: string;
  autocomplete: string;
  /** Keyboards learn nothing of it then. */
  password: boolean;
}

/** A place of the page, in client coordinates. */
export interface FieldPlace {
  left: number;
  top: number;
  height: number;
}

/** Says of what takes the keys where they go, and how to leave. */
const KEYS = 'Keys go to the remote browser. Control, Alt and Shift together leave it.';

type Control = HTMLTextAreaElement | HTMLInputElement;

/**
 * The invisible text field that holds the keyboard focus for the remote screen. Input methods, dead keys, emoji pickers
 * and on-screen keyboards need a real editable element; everything else only needs something that takes the focus.
 */
export class TextField {
  /** Where the field's events are heard: it has the field of this moment in it. */
  readonly element: HTMLElement;
  readonly #area: HTMLTextAreaElement;
  /** Made with the first password. */
  #secret: HTMLInputElement | undefined;
  #control: Control;
  #switching = false;

  constructor(private readonly surface: HTMLElement) {
    const { ownerDocument } = surface;
    this.element = ownerDocument.createElement('div');
    this.#control = this.#area = ownerDocument.createElement('textarea');
    // Through the style object, which a strict Content-Security-Policy allows, unlike a style attribute.
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
    // In one line, so that an input method finds what is being written on the caret's own.
    this.#area.wrap = 'off';
    surface.append(this.element);
    this.clear();
  }

  /** Whether it can hold the keyboard; one that cannot lets go of it. */
  set enabled(enabled: boolean) {
    if (!enabled) this.blur();
    for (const control of this.#controls) control.disabled = !enabled;
  }

  get focused(): boolean {
    return (this.element.getRootNode() as Document | ShadowRoot).activeElement === this.#control;
  }

  /** One of its own parts takes the keyboard from another. */
  get switching(): boolean {
    return this.#switching;
  }

  get inputMode(): string {
    return this.#control.inputMode;
  }

  /** Becomes a field of this kind, and keeps the keyboard if it has it. */
  become({ password, ...look }: FieldLook): void {
    const { focused } = this;
    const control = password ? (this.#secret ??= this.#makeSecret()) : this.#area;
    // No browser is to keep or fill in the passwords of another site's fields.
    Object.assign(control, look, password && { autocomplete: 'one-time-code' });
    if (control === this.#control) return;
    this.#control = control;
    if (focused) this.#switch(() => this.focus());
  }

  /** Takes the keyboard. */
  focus(): void {
    this.#control.focus({ preventScroll: true });
    this.clear();
  }

  /** Takes the keyboard once more: some phones look at what a field is only when the focus comes. */
  refocus(): void {
    this.#switch(() => {
      this.#control.blur();
      this.focus();
    });
  }

  blur(): void {
    this.#control.blur();
  }

  /** Moves the field to a line of the page, so that an input method opens its list there. */
  moveTo({ left, top, height }: FieldPlace): void {
    const box = this.surface.getBoundingClientRect();
    const inside = (value: number, size: number, own: number) =>
      `${Math.max(0, Math.min(size - own, value))}px`;
    const fontSize = `${Math.max(MIN_FONT_SIZE, Math.round(height * FONT_SHARE))}px`;
    Object.assign(this.element.style, {
      left: inside(left - box.left, box.width, 1),
      top: inside(top - box.top, box.height, height),
      height: `${height}px`,
      fontSize,
    });
  }

  /** Drops what an input method left behind. */
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
    // Safari lets nobody type where nothing can be selected, and surfaces often forbid that.
    control.style.setProperty('user-select', 'text');
    control.style.setProperty('-webkit-user-select', 'text');
    this.element.append(control);
  }
}
