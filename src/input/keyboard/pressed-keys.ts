import type { ReleaseControl } from '../release-control.js';
import { modifiersOf } from './modifiers.js';
import type { Platform } from './platform.js';
import type { RemoteKey } from './remote-key.js';

const MODIFIER_KEYS = new Set(['Shift', 'Control', 'Alt', 'Meta']);

/**
 * Keys that one keyboard handler has pressed in the remote browser, by physical key. A key is released with
 * the `code` and `key` of its press. The remote display would repeat a key that is never released.
 */
export class PressedKeys {
  readonly #held = new Map<string, RemoteKey>();

  constructor(
    private readonly control: ReleaseControl,
    private readonly platform: Platform,
  ) {}

  get size(): number {
    return this.#held.size;
  }

  /** Presses the key of a keydown event. */
  press(event: KeyboardEvent, { code, key, modifiers }: RemoteKey): void {
    const id = idOf(event);
    // A second keydown without repeat means that the keyup was lost.
    if (!event.repeat) this.lift(id, modifiers);
    const { repeat } = event;
    const lock = event.getModifierState('CapsLock') && { capsLock: true };
    this.control.send({ type: 'key', code, key, modifiers, pressed: true, repeat, ...lock });
    this.#held.set(id, { code, key, modifiers });
    // While Command is down, macOS does not report the keyup of other keys. So the key is released at once.
    if (this.platform === 'mac' && event.metaKey && !MODIFIER_KEYS.has(event.key)) this.lift(id, modifiers);
  }

  /** Releases the key of a keyup event. Returns false if it is not pressed. */
  up(event: KeyboardEvent, modifiers = modifiersOf(event, this.platform)): boolean {
    if (this.platform === 'mac' && event.key === 'Meta') this.#liftCharacters(modifiers);
    return this.lift(idOf(event), modifiers);
  }

  /** Releases a key by its `code`, or by its `key` without a `code`. Returns false if it is not pressed. */
  lift(id: string, modifiers: number): boolean {
    const held = this.#held.get(id);
    if (!held) return false;
    this.#held.delete(id);
    this.control.send({ type: 'key', ...held, modifiers, pressed: false, repeat: false });
    return true;
  }

  /** Forgets all keys, because the remote side has released them. */
  forget(): void {
    this.#held.clear();
  }

  #liftCharacters(modifiers: number): void {
    for (const [id, { key }] of [...this.#held]) {
      if (!MODIFIER_KEYS.has(key)) this.lift(id, modifiers);
    }
  }
}

function idOf(event: KeyboardEvent): string {
  return event.code || event.key;
}
