import type { RemoteField, ScreenRectangle } from '../protocol/index.js';
import type { InputTarget, RemotePoint } from './input-target.js';
import type { Platform } from './platform.js';
import type { FieldLook, TextField } from './text-field.js';

/** The field where nothing that takes text has the focus: it holds the keyboard for keys, and no phone shows one for it. */
const NO_FIELD: FieldLook = {
  inputMode: 'none',
  enterKeyHint: '',
  autocapitalize: 'off',
  autocomplete: 'off',
  password: false,
};
/** What a phone may fill in for its user. Names and passwords of accounts are those of another site. */
const FILLED_IN = /^(one-time-code|email|tel|name|given-name|family-name|street-address|postal-code)$/;
/** A line of text in a field of which no caret is known. Pixels of the remote screen. */
const LINE_HEIGHT = 20;
/** Languages that are written by an input method with a list to choose from. */
const WITH_METHOD = /^(ja|zh|ko)\b/;

/** A phone's keyboard that pages may show and hide. Source: W3C, "VirtualKeyboard API". */
interface VirtualKeyboard {
  show(): void;
  hide(): void;
}

/**
 * Makes the local text field what the remote one is, and puts it to the remote caret: so a phone's keyboard opens exactly when text can
 * be written, is of the right kind, and an input method's list is where its text comes.
 *
 * Phones open a keyboard only while a tap is handled, but what was tapped is known a round trip later. So a tap gives the field the
 * focus as one without a keyboard, and it becomes one that has one when the remote side tells: Safari goes by the change of
 * `inputMode`, Chromium is asked by its own interface, and others look at a focus that comes soon after the tap.
 */
export class SoftKeyboard {
  /** Told when the keyboard is to be there, or not any more. */
  onOpen: ((open: boolean) => void) | undefined;
  readonly #listening = new AbortController();
  readonly #placing: ResizeObserver;
  readonly #apple: boolean;
  #remote: RemoteField | undefined;
  /** Fingers were last on the surface, and not a mouse. */
  #touched: boolean;
  /** Its user wants it, whatever has the focus; or put it away for this field. */
  #choice: 'opened' | number | undefined;
  #open = false;

  constructor(
    private readonly field: TextField,
    private readonly target: InputTarget,
    platform: Platform,
  ) {
    this.#apple = platform === 'mac';
    this.#touched = matchMedia('(any-pointer: coarse)').matches;
    if (this.#touched) field.become(NO_FIELD);
    if (this.#touched || navigator.languages.some((language) => WITH_METHOD.test(language))) this.#ask();
    const { signal } = this.#listening;
    const { element } = field;
    element.addEventListener('compositionstart', () => this.#ask(), { signal });
    element.addEventListener('keydown', ({ key }) => key === 'Process' && this.#ask(), { signal });
    element.addEventListener('focusin', () => this.#settle(), { signal });
    element.addEventListener('focusout', () => !field.switching && this.#left(), { signal });
    visualViewport?.addEventListener('resize', () => this.place(), { signal });
    visualViewport?.addEventListener('scroll', () => this.place(), { signal });
    this.#placing = new ResizeObserver(() => this.place());
    this.#placing.observe(target.surface);
  }

  /** Whether the keyboard is to be there. */
  get open(): boolean {
    return this.#open;
  }

  /** What has the keyboard on the remote screen. */
  set remote(remote: RemoteField | undefined) {
    const another = remote?.id !== this.#remote?.id;
    this.#remote = remote;
    if (another) this.#choice = undefined;
    this.#become();
    this.place();
    this.#settle(another && remote !== undefined);
  }

  /** A finger was lifted from the surface: the field takes the keyboard, and shows one where text can be written. */
  tapped(at: RemotePoint | undefined): void {
    this.#touched = true;
    this.#ask();
    const again = at !== undefined && contains(this.#remote?.rectangle, at);
    if (again) this.#choice = undefined;
    this.#become();
    if (!this.field.focused) this.field.focus();
    this.#settle(again);
  }

  /** A mouse was pressed on the surface. */
  clicked(): void {
    this.#touched = false;
    this.#become();
    if (this.#remote) this.place();
  }

  /** Opens the keyboard whatever has the focus. To be called while handling a tap. */
  show(): void {
    this.#touched = true;
    this.#choice = 'opened';
    this.#ask();
    this.#become();
    this.field.focus();
    this.#settle(true);
  }

  /** Puts the keyboard away until another field has the focus. */
  hide(): void {
    this.#choice = this.#remote?.id;
    this.#become();
    this.#settle();
  }

  /** Puts the field to the remote caret, wherever that is shown. */
  place(): void {
    const spot = this.#remote && spotOf(this.#remote);
    const { placement } = this.target;
    const { width, height } = placement.size;
    if (!spot || width === 0) return;
    const from = placement.toClient(spot[0] / width, spot[1] / height);
    const to = placement.toClient(spot[0] / width, (spot[1] + spot[3]) / height);
    this.field.moveTo({ left: from.x, top: from.y, height: to.y - from.y });
  }

  close(): void {
    this.#listening.abort();
    this.#placing.disconnect();
    this.target.sink.watchFocus?.(false);
  }

  #ask(): void {
    this.target.sink.watchFocus?.(true);
  }

  /** The keyboard of the field is gone: put away by its user, or the page has taken the focus. */
  #left(): void {
    if (this.#open) this.#choice = this.#remote?.id;
    this.#settle();
  }

  #become(): void {
    const remote = this.#remote;
    const choice = this.#choice;
    const hidden = choice !== undefined && choice !== 'opened' && choice === remote?.id;
    const look = remote ? lookOf(remote) : NO_FIELD;
    const mode = hidden ? 'none' : choice === 'opened' && look.inputMode === 'none' ? 'text' : look.inputMode;
    // Where there is no phone's keyboard to be kept away, the field is as any.
    const plain = !remote && !this.#touched && choice === undefined;
    this.field.become({ ...look, inputMode: plain ? '' : mode });
  }

  /** @param show brings it up, also where it is taken for open */
  #settle(show = false): void {
    const { field } = this;
    const { inputMode } = field;
    const open = this.#touched && field.focused && inputMode !== 'none' && inputMode !== '';
    const changed = open !== this.#open;
    this.#open = open;
    if (open && (show || changed)) this.#bringUp();
    if (!open && changed) virtualKeyboard()?.hide();
    if (changed) this.onOpen?.(open);
  }

  #bringUp(): void {
    const keyboard = virtualKeyboard();
    this.field.element.querySelectorAll('textarea, input').forEach((control) => {
      if (keyboard) control.setAttribute('virtualkeyboardpolicy', 'manual');
    });
    if (keyboard) keyboard.show();
    else if (!this.#apple) this.field.refocus();
  }
}

function lookOf({ inputMode, enterKeyHint, capitals, autocomplete, password }: RemoteField): FieldLook {
  return {
    inputMode,
    enterKeyHint,
    // The local field is always empty: each letter would be the first of a sentence.
    autocapitalize: capitals === 'characters' ? capitals : 'off',
    autocomplete: FILLED_IN.test(autocomplete) ? autocomplete : 'off',
    password,
  };
}

/** Where text comes; where no caret is known, a line in the middle of the field. */
function spotOf({ caret, rectangle }: RemoteField): ScreenRectangle | undefined {
  if (caret || !rectangle) return caret ?? undefined;
  const [left, top, , height] = rectangle;
  const line = Math.min(height, LINE_HEIGHT);
  return [left, top + (height - line) / 2, 0, line];
}

function contains(rectangle: ScreenRectangle | null | undefined, { x, y }: RemotePoint): boolean {
  if (!rectangle) return false;
  const [left, top, width, height] = rectangle;
  return x >= left && x < left + width && y >= top && y < top + height;
}

/** In a frame the keyboard is its outermost page's. */
function virtualKeyboard(): VirtualKeyboard | undefined {
  const keyboard: unknown = window.top === window ? Reflect.get(navigator, 'virtualKeyboard') : undefined;
  return isVirtualKeyboard(keyboard) ? keyboard : undefined;
}

function isVirtualKeyboard(value: unknown): value is VirtualKeyboard {
  return typeof value === 'object' && value !== null && 'show' in value && 'hide' in value;
}
