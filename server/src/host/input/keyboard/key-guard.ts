import { KEYCODE_OF } from './key-codes.js';
import type { KeySink } from './keyboard.js';

/** Modifiers in the order of the shortcut tables. */
const MODIFIERS = ['Control', 'Alt', 'Shift', 'Meta'] as const;
type Modifier = (typeof MODIFIERS)[number];

const MODIFIER_OF = new Map<number | undefined, Modifier>(
  MODIFIERS.flatMap((name) => [`${name}Left`, `${name}Right`].map((code) => [KEYCODE_OF.get(code), name])),
);
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
 * pressed them. So two users cannot press a shortcut together.
 */
export class KeyGuard implements KeySink {
  readonly #shortcuts: ReadonlySet<string>;
  readonly #down = new Set<number>();

  /** @param onWithheld called with a shortcut that was pressed and withheld */
  constructor(
    private readonly display: KeySink,
    private readonly withheld: Withheld,
    private readonly onWithheld: (shortcut: string) => void,
  ) {
    this.#shortcuts = new Set(withheld.shortcuts);
  }

  key(keycode: number, pressed: boolean): void {
    if (!pressed) return this.#lift(keycode);
    if (MODIFIER_OF.has(keycode)) {
      this.#down.add(keycode);
      // The display repeats held keys. With this modifier, some repeats would be withheld shortcuts, so the
      // host releases those keys.
      for (const held of [...this.#down]) if (this.#isWithheld(held)) this.#lift(held);
    } else if (this.#isWithheld(keycode)) {
      return this.onWithheld(this.#shortcut(keycode));
    }
    this.#down.add(keycode);
    this.display.key(keycode, true);
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
    const held = new Set([...this.#down].map((keycode) => MODIFIER_OF.get(keycode)));
    return MODIFIERS.filter((name) => held.has(name));
  }
}
