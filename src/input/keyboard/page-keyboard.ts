import type { ClipboardInput } from '../clipboard/clipboard-input.js';
import { translateKey } from './key-translation.js';
import type { Platform } from './platform.js';
import { PressedKeys } from './pressed-keys.js';
import type { ReleaseControl } from '../release-control.js';
import type { TextField } from './text-field.js';

/** Elements of the page that the user presses with Enter, and those that the space bar presses too. */
const PRESSED_BY = { Enter: 'a[href], area[href], button, summary', ' ': 'button, summary' };

/**
 * Sends the keys of the whole page while the user does not type into another field. The page also receives
 * these keys. So a key that operates the focused element of the page is not sent, because it would act twice.
 * A paste, an input method and a dead key need an editable element. For these keys, the viewer's invisible
 * text field takes the focus.
 */
export class PageKeyboard {
  readonly #pressed: PressedKeys;
  #listening: AbortController | undefined;
  /**
   * Element that got the focus by keyboard. A clicked button has the focus too, but then the user types for
   * the remote screen. `:focus-visible` distinguishes them only until the next key is pressed.
   */
  #reached: EventTarget | undefined;

  constructor(
    private readonly field: TextField,
    private readonly control: ReleaseControl,
    private readonly clipboard: ClipboardInput,
    private readonly platform: Platform,
  ) {
    this.#pressed = new PressedKeys(control, platform);
    control.add(this);
  }

  set enabled(enabled: boolean) {
    if (enabled === (this.#listening !== undefined)) return;
    this.close();
    if (!enabled) {
      // This object receives no further keyup events, so the pressed keys must be released.
      if (this.#pressed.size > 0) this.control.release();
      return;
    }
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    // The text field's own handler stops the keys that it sends, so this listener does not send them again.
    window.addEventListener('keydown', (event) => this.#down(event), { signal });
    window.addEventListener('focusin', (event) => this.#focused(event), { signal, capture: true });
    // The focus may have moved to a field that stops the event. So this listener runs before the field's.
    window.addEventListener('keyup', (event) => this.#up(event), { signal, capture: true });
  }

  forget(): void {
    this.#pressed.forget();
  }

  close(): void {
    this.#listening?.abort();
    this.#listening = undefined;
  }

  #down(event: KeyboardEvent): void {
    if (isTyped(event) || this.#operates(event)) return;
    const key = translateKey(event, this.platform);
    switch (key.handling) {
      case 'send':
        this.#pressed.press(event, key);
        break;
      case 'paste':
        this.field.focus();
        this.clipboard.expectPaste(key);
        break;
      case 'text':
        this.field.focus();
        break;
      case 'local':
      case 'alt-graph':
    }
  }

  /** True if the key presses the button or link that the user has reached by keyboard. */
  #operates(event: KeyboardEvent): boolean {
    const { key } = event;
    const [target] = event.composedPath();
    if ((key !== 'Enter' && key !== ' ') || target !== this.#reached) return false;
    return target instanceof Element && target.matches(PRESSED_BY[key]);
  }

  #focused(event: FocusEvent): void {
    const [target] = event.composedPath();
    this.#reached = target instanceof Element && target.matches(':focus-visible') ? target : undefined;
  }

  /** Releases the key, also if the focus has moved. */
  #up(event: KeyboardEvent): void {
    // A pending paste key needs the modifiers that this event may release.
    this.clipboard.flush();
    const key = translateKey(event, this.platform);
    this.#pressed.up(event, 'modifiers' in key ? key.modifiers : undefined);
  }
}

/** Returns true if the target of the event is an editable element, or may contain one. */
function isTyped(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement)) return false;
  // A custom element without `tabindex` cannot take the focus itself. So a closed shadow tree, which scripts
  // cannot look into, contains the element with the focus. It may be a field for a password.
  const { localName, shadowRoot } = target;
  if (localName.includes('-') && !shadowRoot && !target.hasAttribute('tabindex')) return true;
  return /^(INPUT|TEXTAREA|SELECT)$/.test(target.nodeName) || target.isContentEditable;
}
