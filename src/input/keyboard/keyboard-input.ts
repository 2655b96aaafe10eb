import { Modifier } from '../../protocol/index.js';
import type { ClipboardInput } from '../clipboard/clipboard-input.js';
import { translateKey } from './key-translation.js';
import type { Platform } from './platform.js';
import { PressedKeys } from './pressed-keys.js';
import type { ReleaseControl } from '../release-control.js';
import type { RemoteKey } from './remote-key.js';
import type { TextField } from './text-field.js';

const MODIFIER_KEYS = new Set(['Shift', 'Control', 'Alt', 'Meta']);

/**
 * Handles the keyboard. Almost all keys that the browser passes to a page go to the remote browser, including
 * Tab and Escape. See `KeyHandling` for the exceptions. To leave without a mouse, users press Control, Alt
 * and Shift together.
 */
export class KeyboardInput {
  /** False: keys stay local. */
  captures = true;
  readonly #listening = new AbortController();
  readonly #pressed: PressedKeys;

  constructor(
    private readonly field: TextField,
    private readonly control: ReleaseControl,
    private readonly clipboard: ClipboardInput,
    private readonly platform: Platform,
  ) {
    this.#pressed = new PressedKeys(control, platform);
    control.add(this);
    const { signal } = this.#listening;
    field.element.addEventListener('keydown', (event) => this.#down(event), { signal });
    field.element.addEventListener('keyup', (event) => this.#up(event), { signal });
    field.element.addEventListener('focusout', () => !field.switching && control.release(), { signal });
  }

  forget(): void {
    this.#pressed.forget();
  }

  close(): void {
    this.#listening.abort();
  }

  #down(event: KeyboardEvent): void {
    this.clipboard.flush();
    if (isWayOut(event)) {
      event.preventDefault();
      this.field.blur();
      return;
    }
    if (!this.captures) return;
    const key = translateKey(event, this.platform);
    switch (key.handling) {
      case 'alt-graph':
        // Windows reports AltGr as Control and Alt. Releases the Control key, which was just sent by mistake.
        this.#pressed.lift('ControlLeft', 0);
        take(event);
        break;
      case 'paste':
        event.stopPropagation();
        this.clipboard.expectPaste(key);
        break;
      case 'send':
        take(event);
        this.#press(event, key);
        break;
      case 'text':
      case 'local':
    }
  }

  #up(event: KeyboardEvent): void {
    this.clipboard.flush();
    const key = translateKey(event, this.platform);
    if (this.#pressed.up(event, 'modifiers' in key ? key.modifiers : undefined)) take(event);
  }

  #press(event: KeyboardEvent, key: RemoteKey): void {
    this.#pressed.press(event, key);
    if ((key.modifiers & Modifier.control) !== 0 && /^[cxCX]$|^Insert$/.test(key.key))
      this.clipboard.remoteCopied();
  }
}

/** Keeps the key from triggering shortcuts of the local browser or of the page. */
function take(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

function isWayOut(event: KeyboardEvent): boolean {
  const all = event.ctrlKey && event.altKey && event.shiftKey;
  return all && MODIFIER_KEYS.has(event.key) && !event.getModifierState('AltGraph');
}
