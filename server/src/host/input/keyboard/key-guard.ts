import { KEYCODE_OF } from './key-codes.js';
import type { GuardedKeySink, KeySink } from './keyboard.js';

/** Modifiers in the order of the shortcut tables. */
const MODIFIERS = ['Control', 'Alt', 'Shift', 'Meta'] as const;
type Modifier = (typeof MODIFIERS)[number];

const MODIFIER_OF = new Map<number | undefined, Modifier>(
  MODIFIERS.flatMap((name) => [`${name}Left`, `${name}Right`].map((code) => [KEYCODE_OF.get(code), name])),
);
const CAPS_LOCK = KEYCODE_OF.get('CapsLock') ?? 0;
const CODE_OF = new Map([...KEYCODE_OF].map(([code, keycode]) => [keycode, code]));

/** Keys that are withheld from the display. */
export interface Withheld {
  /** Shortcuts, see `kiosk-keys.ts`. */
  shortcuts: readonly string[];
  /** True if keycodes that belong to no physical key are also withheld while Control or Alt is held. */
  unknown: boolean;
}

/**
 * Withholds shortcuts from the display. Checks all keys that are pressed on the display, whichever user
 * pressed them. So two users cannot press a shortcut together. A key that several users hold is released on
 * the display when the last of them releases it.
 */
export class KeyGuard implements GuardedKeySink {
  readonly #shortcuts: ReadonlySet<string>;
  /** The keys that are down on the display. The value is the number of presses without a release. */
  readonly #down = new Map<number, number>();
  /** True if the display's Caps Lock is on. */
  #locked = false;

  /** @param onWithheld called with a shortcut that was pressed and withheld */
  constructor(
    private readonly display: KeySink,
    private readonly withheld: Withheld,
    private readonly onWithheld: (shortcut: string) => void,
  ) {
    this.#shortcuts = new Set(withheld.shortcuts);
  }

  key(keycode: number, pressed: boolean): boolean {
    if (pressed && keycode === CAPS_LOCK) this.#locked = !this.#locked;
    if (pressed) return this.#press(keycode);
    this.#release(keycode);
    return true;
  }

  lock(on: boolean): void {
    if (on === this.#locked) return;
    this.#locked = on;
    for (const pressed of [true, false]) this.display.key(CAPS_LOCK, pressed);
  }

  #press(keycode: number): boolean {
    const presses = this.#down.get(keycode) ?? 0;
    if (MODIFIER_OF.has(keycode)) {
      this.#down.set(keycode, presses + 1);
      if (presses > 0) return true;
      // The display repeats held keys. A repeated key and this modifier may together be a withheld shortcut,
      // so the host releases such keys.
      for (const held of [...this.#down.keys()]) if (this.#isWithheld(held)) this.#lift(held);
    } else if (this.#isWithheld(keycode)) {
      this.onWithheld(this.#shortcut(keycode));
      return false;
    }
    // The display drops a press of a key that is already down, and the page would miss this press.
    if (presses > 0) this.display.key(keycode, false);
    this.#down.set(keycode, presses + 1);
    this.display.key(keycode, true);
    return true;
  }

  #release(keycode: number): void {
    const presses = this.#down.get(keycode) ?? 0;
    if (presses <= 1) this.#lift(keycode);
    else this.#down.set(keycode, presses - 1);
  }

  #lift(keycode: number): void {
    this.#down.delete(keycode);
    this.display.key(keycode, false);
  }

  #isWithheld(keycode: number): boolean {
    if (MODIFIER_OF.has(keycode)) return false;
    const modifiers = this.#modifiers();
    if (!CODE_OF.has(keycode))
      return this.withheld.unknown && (modifiers.includes('Control') || modifiers.includes('Alt'));
    return this.#shortcuts.has(this.#shortcut(keycode));
  }

  #shortcut(keycode: number): string {
    return [...this.#modifiers(), CODE_OF.get(keycode)].join('+');
  }

  #modifiers(): Modifier[] {
    const held = new Set([...this.#down.keys()].map((keycode) => MODIFIER_OF.get(keycode)));
    return MODIFIERS.filter((name) => held.has(name));
  }
}
