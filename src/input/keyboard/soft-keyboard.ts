import { EventEmitter } from 'eventemitter3';
import type { RemoteField, ScreenRectangle } from '../../protocol/index.js';
import type { InputTarget, RemotePoint } from '../input-target.js';
import type { Platform } from './platform.js';
import type { FieldLook, TextField } from './text-field.js';

/**
 * Properties of the local field while no remote text field is focused. The field still receives keys, but
 * phones show no keyboard.
 */
const NO_FIELD: FieldLook = {
  inputMode: 'none',
  enterKeyHint: '',
  autocapitalize: 'off',
  autocomplete: 'off',
  password: false,
};
/**
 * Autocomplete types that a phone may fill in. Account names and passwords are excluded, because the remote
 * page is another site.
 */
const FILLED_IN = /^(one-time-code|email|tel|name|given-name|family-name|street-address|postal-code)$/;
/** Line height for a field without a reported caret. Pixels of the remote screen. */
const LINE_HEIGHT = 20;
/** Languages whose input methods show a list of candidates. */
const WITH_METHOD = /^(ja|zh|ko)\b/;

/** A phone's keyboard that pages can show and hide. Source: W3C, "VirtualKeyboard API". */
interface VirtualKeyboard {
  show(): void;
  hide(): void;
}

/** Events of the keyboard and their arguments. */
export interface SoftKeyboardEvents {
  /** The keyboard should open (true) or close (false). */
  open: [open: boolean];
}

/**
 * Copies the properties of the focused remote field to the local text field, and moves the local field to the
 * remote caret. So a phone's keyboard opens only for text fields and has the right layout. An input method
 * shows its list of candidates at the caret.
 *
 * Phones open a keyboard only inside a tap handler, but the session reports the tapped field one round trip
 * later. So a tap first focuses the local field without a keyboard. After the report, the field gets the new
 * properties, and the keyboard opens. Safari reacts to the new `inputMode`, Chromium has an API for it, and
 * other browsers react to a focus soon after the tap.
 */
export class SoftKeyboard extends EventEmitter<SoftKeyboardEvents> {
  readonly #listening = new AbortController();
  readonly #placing: ResizeObserver;
  readonly #apple: boolean;
  #remote: RemoteField | undefined;
  /** True if the last input on the surface was a touch and not the mouse. */
  #touched: boolean;
  /**
   * The latest choice about the keyboard. `opened`: {@link show} was called. A number: the user or
   * {@link hide} closed the keyboard for the remote field with this id.
   */
  #choice: 'opened' | number | undefined;
  #open = false;

  constructor(
    private readonly field: TextField,
    private readonly target: InputTarget,
    platform: Platform,
  ) {
    super();
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
    window.visualViewport?.addEventListener('resize', () => this.place(), { signal });
    window.visualViewport?.addEventListener('scroll', () => this.place(), { signal });
    this.#placing = new ResizeObserver(() => this.place());
    this.#placing.observe(target.surface);
  }

  /** True if the keyboard should be open. */
  get open(): boolean {
    return this.#open;
  }

  /** Sets the focused remote field. */
  set remote(remote: RemoteField | undefined) {
    const another = remote?.id !== this.#remote?.id;
    this.#remote = remote;
    if (another) this.#choice = undefined;
    this.#become();
    this.place();
    this.#settle(another && remote !== undefined);
  }

  /**
   * Handles the end of a touch on the surface. Focuses the text field, and opens the keyboard after a tap on
   * the focused remote text field.
   * @param at place of the tap. Undefined for a tap next to the picture, a swipe and a pinch
   */
  tapped(at: RemotePoint | undefined): void {
    this.#touched = true;
    this.#ask();
    const again = at !== undefined && this.#remote !== undefined && mayBeIn(this.#remote, at);
    if (again) this.#choice = undefined;
    this.#become();
    if (!this.field.focused) this.field.focus();
    this.#settle(again);
  }

  /**
   * Handles a press of the mouse or a stylus on the picture. After a stylus, the keyboard behaves as before,
   * because phones have styluses too.
   */
  clicked(byMouse: boolean): void {
    if (byMouse) this.#touched = false;
    this.#become();
    if (this.#remote) this.place();
  }

  /** Opens the keyboard, also if no remote text field is focused. Call it in a tap handler. */
  show(): void {
    this.#touched = true;
    this.#choice = 'opened';
    this.#ask();
    this.#become();
    this.field.focus();
    this.#settle(true);
  }

  /** Closes the keyboard until another remote field is focused. */
  hide(): void {
    this.#choice = this.#remote?.id;
    this.#become();
    this.#settle();
  }

  /** Moves the field to the remote caret on the page. */
  place(): void {
    const spot = this.#remote && spotOf(this.#remote);
    const { placement } = this.target;
    const { width, height } = placement.size;
    if (!spot || width === 0) return;
    const toSurface = (y: number): RemotePoint => {
      const shown = placement.toClient(spot[0] / width, y / height);
      return placement.toContainer(shown.x, shown.y);
    };
    const from = toSurface(spot[1]);
    const to = toSurface(spot[1] + spot[3]);
    this.field.moveTo({ left: from.x, top: from.y, height: to.y - from.y });
  }

  /** Closes the keyboard, and stops listening. */
  close(): void {
    this.#listening.abort();
    this.#placing.disconnect();
    this.target.sink.watchFocus?.(false);
    this.field.blur();
    this.#settle();
  }

  #ask(): void {
    this.target.sink.watchFocus?.(true);
  }

  /**
   * Handles the loss of the local focus, because the user closed the keyboard or the local page moved the
   * focus.
   */
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
    // Without touch input there is no on-screen keyboard to suppress. So without a remote field, the local
    // field is a normal text field.
    const plain = !remote && !this.#touched && choice === undefined;
    this.field.become({ ...look, inputMode: plain ? '' : mode });
  }

  /** @param show true to open the keyboard even if this object regards it as open */
  #settle(show = false): void {
    const { field } = this;
    const { inputMode } = field;
    const open = this.#touched && field.focused && inputMode !== 'none' && inputMode !== '';
    const changed = open !== this.#open;
    this.#open = open;
    if (open && (show || changed)) this.#bringUp();
    if (!open && changed) virtualKeyboard()?.hide();
    if (changed) this.emit('open', open);
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
    // Turns off capitals at the start of sentences and words. The local field is always empty, so a keyboard
    // would capitalize each letter.
    autocapitalize: capitals === 'characters' ? capitals : 'off',
    autocomplete: FILLED_IN.test(autocomplete) ? autocomplete : 'off',
    password,
  };
}

/** Returns the position of the caret. Without a reported caret, returns a line in the middle of the field. */
function spotOf({ caret, rectangle }: RemoteField): ScreenRectangle | undefined {
  if (caret || !rectangle) return caret ?? undefined;
  const [left, top, , height] = rectangle;
  const line = Math.min(height, LINE_HEIGHT);
  return [left, top + (height - line) / 2, 0, line];
}

/**
 * True if a tap may be on the focused field. The place of some fields of the browser's own interface is not
 * known, and a tap outside of this interface moves the focus.
 */
function mayBeIn({ rectangle, place }: RemoteField, { x, y }: RemotePoint): boolean {
  if (!rectangle) return place === 'browser';
  const [left, top, width, height] = rectangle;
  return x >= left && x < left + width && y >= top && y < top + height;
}

/**
 * Returns the keyboard API. Undefined if the browser lacks it, and in frames, because it works only in the
 * outermost page.
 */
function virtualKeyboard(): VirtualKeyboard | undefined {
  const keyboard: unknown = window.top === window ? Reflect.get(navigator, 'virtualKeyboard') : undefined;
  return isVirtualKeyboard(keyboard) ? keyboard : undefined;
}

function isVirtualKeyboard(value: unknown): value is VirtualKeyboard {
  return typeof value === 'object' && value !== null && 'show' in value && 'hide' in value;
}
