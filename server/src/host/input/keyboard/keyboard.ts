import { Modifier, type Key, type Wheel } from 'cloud-browser/protocol';
import type { CdpSession } from '../../browser/cdp/cdp-session.js';
import type { BrowserSync } from './browser-sync.js';
import { KEYCODE_OF } from './key-codes.js';
import type { Keymap } from './keymap.js';
import { keysymOf } from './keysyms.js';
import type { PageKeys } from './page-keys.js';
import type { ModifierHolder, SharedModifiers } from './shared-modifiers.js';

/** Presses and releases keys of the display. */
export interface KeySink {
  key(keycode: number, pressed: boolean): void;
}

/** Presses and releases keys of the display, but withholds some presses. */
export interface GuardedKeySink extends KeySink {
  /**
   * Returns false if a press was withheld. Its release must not be sent, because it would count as the
   * release of another user's later press.
   */
  key(keycode: number, pressed: boolean): boolean;
  /** Turns the display's Caps Lock on or off. */
  lock(on: boolean): void;
}

const MODIFIERS: { bit: number; codes: [string, string] }[] = [
  { bit: Modifier.shift, codes: ['ShiftLeft', 'ShiftRight'] },
  { bit: Modifier.control, codes: ['ControlLeft', 'ControlRight'] },
  { bit: Modifier.alt, codes: ['AltLeft', 'AltRight'] },
  { bit: Modifier.meta, codes: ['MetaLeft', 'MetaRight'] },
];
const MODIFIER_CODES = new Map(
  MODIFIERS.flatMap(({ bit, codes }) => codes.map((code) => [code, bit] as const)),
);
/** Modifiers that make a key a shortcut, as bits of an event's modifiers. */
export const SHORTCUT = Modifier.control | Modifier.alt | Modifier.meta;

/**
 * Target of a held key: the display or a page. The key's release goes to the same target. `sent` is false if
 * the press was withheld from the display.
 */
type Held = { keycode: number; sent: boolean } | { page: CdpSession; event: Key };

/**
 * The keyboard of one user. Keys of the display's American keyboard map are pressed on the display, so that
 * they also work in the browser's shortcuts and fields. Other characters go to the page as keys of the user's
 * layout. Each press contains the state of the user's modifiers, and the host corrects the held modifiers to
 * that state, because a key-up may be lost before the viewer's page receives it.
 */
export class Keyboard implements ModifierHolder {
  readonly #held = new Map<string, Held>();
  /** Keys that the host released because no event from the user confirmed that they are still held. */
  readonly #unconfirmed = new Set<string>();

  constructor(
    private readonly keymap: Keymap,
    private readonly sink: GuardedKeySink,
    private readonly pageKeys: PageKeys,
    private readonly sync: BrowserSync,
    private readonly shared: SharedModifiers,
  ) {}

  async handle(event: Key): Promise<void> {
    const id = event.code || event.key;
    if (!event.pressed) return this.#release(id);
    const modifier = MODIFIER_CODES.get(event.code);
    const wanted = event.modifiers | (modifier ?? 0);
    // A repeated key must not suspend the modifiers of other users, for example in a game for two.
    if (!event.repeat || wanted !== this.#modifiers()) this.matchModifiers(wanted, event.code);
    if (modifier !== undefined) {
      if (!this.#held.has(id)) this.#press(id, KEYCODE_OF.get(event.code));
      return;
    }
    const held = this.#held.get(id);
    if (held && event.repeat) {
      // The display itself repeats held keys. XTest cannot send a repeat.
      if ('page' in held) await this.pageKeys.send(held.page, event);
      return;
    }
    // The host has released this key, because the user's connection was silent. Since this repeat was sent,
    // the user may have released the key too. So the host does not perform a shortcut a second time.
    if (event.repeat && this.#unconfirmed.has(id) && (event.modifiers & SHORTCUT) !== 0) return;
    this.#unconfirmed.delete(id);
    if (held) await this.#release(id);
    await this.#pressKey(id, event);
  }

  /** Presses and releases a key with these modifiers. The held modifiers stay held. */
  async tap({ code, key, modifiers }: Pick<Key, 'code' | 'key' | 'modifiers'>): Promise<void> {
    const held = this.#modifiers();
    const event = { type: 'key', seq: 0, repeat: false, code, key, modifiers } as const;
    await this.handle({ ...event, pressed: true });
    await this.handle({ ...event, pressed: false });
    this.matchModifiers(held);
  }

  /**
   * Makes the held modifiers equal to `wanted` (bits of `Modifier`), and suspends those of other users.
   * Releases modifiers whose key-up was lost, and presses modifiers whose key-down was lost.
   *
   * @param pressing key that the user presses now. If it is a missing modifier, it is pressed itself. Other
   *   missing modifiers are pressed on the left side
   */
  matchModifiers(wanted: number, pressing?: string): void {
    this.shared.take(this);
    for (const { bit, codes } of MODIFIERS) {
      const held = codes.filter((code) => this.#held.has(code));
      if ((wanted & bit) === 0) for (const code of held) this.#lift(code);
      else if (held.length === 0) {
        const code = codes.find((one) => one === pressing) ?? codes[0];
        this.#press(code, KEYCODE_OF.get(code));
      }
    }
  }

  /**
   * Scrolls with the modifiers of a wheel event. A pinch on a touchpad has Control without a key, and a user
   * can turn the wheel without the keyboard focus. No key-up follows then. So this method releases the
   * modifiers that it has pressed. They would change the keys of other users.
   */
  async scroll({ modifiers, notched }: Wheel, scroll: () => Promise<void>): Promise<void> {
    const held = this.#modifiers() & modifiers;
    this.matchModifiers(notched ? modifiers : held);
    await scroll();
    this.matchModifiers(this.#modifiers() & held);
  }

  suspendModifiers(): void {
    for (const code of [...this.#held.keys()]) if (MODIFIER_CODES.has(code)) this.#lift(code);
  }

  /** Releases the keys that the display repeats, because the user may not hold them any more. */
  releaseUnconfirmed(): void {
    for (const [id, held] of [...this.#held]) {
      if (!('keycode' in held) || MODIFIER_CODES.has(id)) continue;
      this.#lift(id);
      this.#unconfirmed.add(id);
    }
  }

  /** Releases all keys. */
  async releaseAll(): Promise<void> {
    this.#unconfirmed.clear();
    for (const id of [...this.#held.keys()]) await this.#release(id);
  }

  get holdsAnything(): boolean {
    return this.#held.size > 0;
  }

  #modifiers(): number {
    return MODIFIERS.reduce(
      (sum, { bit, codes }) => sum | (codes.some((code) => this.#held.has(code)) ? bit : 0),
      0,
    );
  }

  async #pressKey(id: string, event: Key): Promise<void> {
    const keysym = keysymOf(event.key, event.code);
    if (keysym === undefined) return;
    const shift = (event.modifiers & Modifier.shift) !== 0;
    const lock = event.capsLock === true;
    // Caps Lock changes only letters, and Shift makes them small again.
    const isUpper = lock && /^[a-z]$/i.test(event.key) ? !shift : shift;
    const exact = this.keymap.exact(event.code, keysym, isUpper);
    if (exact !== undefined) {
      this.sink.lock(lock);
      this.#press(id, exact);
      return;
    }
    const printable = [...event.key].length === 1;
    // Caps Lock would change the letters of other keycodes too.
    this.sink.lock(false);
    if (!printable || (event.modifiers & SHORTCUT) !== 0) {
      // A shortcut depends on the letter in the user's layout, not on the key's position. If the map does not
      // have the letter, the host uses the position.
      this.#press(id, this.keymap.find(keysym, shift) ?? KEYCODE_OF.get(event.code));
      return;
    }
    await this.sync.settled();
    const page = await this.pageKeys.target();
    if (page) {
      this.#held.set(id, { page, event });
      return this.pageKeys.send(page, event);
    }
    this.#press(id, await this.keymap.spareFor(keysym));
  }

  #press(id: string, keycode: number | undefined): void {
    if (keycode === undefined) return;
    this.#held.set(id, { keycode, sent: this.sink.key(keycode, true) });
  }

  async #release(id: string): Promise<void> {
    const held = this.#lift(id);
    if (held && 'page' in held) await this.pageKeys.send(held.page, { ...held.event, pressed: false });
  }

  /**
   * Marks a key as released, and releases it on the display. If the key was sent to a page, the caller must
   * send the release. Modifiers are never sent to pages.
   */
  #lift(id: string): Held | undefined {
    this.#unconfirmed.delete(id);
    const held = this.#held.get(id);
    this.#held.delete(id);
    if (held && 'keycode' in held && held.sent) this.sink.key(held.keycode, false);
    return held;
  }
}
