import { Modifier } from '../../protocol/index.js';
import type { ClipboardInput } from '../clipboard/clipboard-input.js';
import { translateKey } from './key-translation.js';
import { modifiersOf } from './modifiers.js';
import type { Platform } from './platform.js';
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
  readonly #listening = new AbortController();
  /**
   * Keys that are pressed remotely, by physical key. A key is released with the `code` and `key` of its
   * press.
   */
  readonly #held = new Map<string, RemoteKey>();

  constructor(
    private readonly field: TextField,
    private readonly control: ReleaseControl,
    private readonly clipboard: ClipboardInput,
    private readonly platform: Platform,
  ) {
    control.add(this);
    const { signal } = this.#listening;
    field.element.addEventListener('keydown', (event) => this.#down(event), { signal });
    field.element.addEventListener('keyup', (event) => this.#up(event), { signal });
    field.element.addEventListener('focusout', () => !field.switching && control.release(), { signal });
  }

  forget(): void {
    this.#held.clear();
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
    const key = translateKey(event, this.platform);
    switch (key.handling) {
      case 'alt-graph':
        // Windows reports AltGr as Control and Alt. Releases the Control key, which was just sent by mistake.
        this.#lift('ControlLeft', 0);
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
    const modifiers = 'modifiers' in key ? key.modifiers : modifiersOf(event, this.platform);
    if (this.platform === 'mac' && event.key === 'Meta') this.#liftCharacters(modifiers);
    if (this.#lift(idOf(event), modifiers)) take(event);
  }

  #press(event: KeyboardEvent, { code, key, modifiers }: RemoteKey): void {
    const id = idOf(event);
    // A second keydown without repeat means that the keyup was lost.
    if (!event.repeat) this.#lift(id, modifiers);
    this.control.send({ type: 'key', code, key, modifiers, pressed: true, repeat: event.repeat });
    this.#held.set(id, { code, key, modifiers });
    if ((modifiers & Modifier.control) !== 0 && /^[cxCX]$|^Insert$/.test(key)) this.clipboard.remoteCopied();
    // While Command is down, macOS does not report the keyup of other keys. So the key is released at once.
    if (this.platform === 'mac' && event.metaKey && !MODIFIER_KEYS.has(event.key)) this.#lift(id, modifiers);
  }

  #lift(id: string, modifiers: number): boolean {
    const held = this.#held.get(id);
    if (!held) return false;
    this.#held.delete(id);
    this.control.send({
      type: 'key',
      code: held.code,
      key: held.key,
      modifiers,
      pressed: false,
      repeat: false,
    });
    return true;
  }

  #liftCharacters(modifiers: number): void {
    for (const [id, { key }] of [...this.#held]) {
      if (!MODIFIER_KEYS.has(key)) this.#lift(id, modifiers);
    }
  }
}

function idOf(event: KeyboardEvent): string {
  return event.code || event.key;
}

/** Prevents that the key triggers shortcuts of the local browser or of the page. */
function take(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

function isWayOut(event: KeyboardEvent): boolean {
  const all = event.ctrlKey && event.altKey && event.shiftKey;
  return all && MODIFIER_KEYS.has(event.key) && !event.getModifierState('AltGraph');
}
