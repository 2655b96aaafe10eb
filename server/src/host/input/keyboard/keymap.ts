import { request, type XConnection } from '../../display/x-client.js';
import { KEYCODE_OF } from './key-codes.js';

/** Keysyms of a key without and with Shift. */
type Levels = [plain: number, shifted: number];

/**
 * Number of spare keycodes. A spare keycode belongs to no physical key, so the host can give it any
 * character. This number is enough to type a phrase in which each character has its own keycode.
 */
const SPARES = 24;

/**
 * The display's keyboard map: American, plus spare keycodes for any character. A changed map affects the text
 * that Chromium enters. It does not affect the `key` of key events, because for this property Chromium reads
 * the map only once. So spare keycodes are used only in the browser's own fields, where no page listens to
 * key events.
 */
export class Keymap {
  readonly #levels = new Map<number, Levels>();
  readonly #spares: number[] = [];
  #nextSpare = 0;

  private constructor(
    private readonly connection: XConnection,
    private readonly browserHasSeenAll: () => Promise<void>,
  ) {}

  /** @param browserHasSeenAll waits until the browser has handled all earlier input to the display */
  static async load(connection: XConnection, browserHasSeenAll: () => Promise<void>): Promise<Keymap> {
    const keymap = new Keymap(connection, browserHasSeenAll);
    const { min_keycode: first, max_keycode: last } = connection.display;
    const rows = await request<number[][]>((reply) =>
      connection.x.GetKeyboardMapping(first, last - first + 1, reply),
    );
    const known = new Set(KEYCODE_OF.values());
    rows.forEach((keysyms, index) => {
      keymap.#levels.set(first + index, [keysyms[0] ?? 0, keysyms[1] ?? 0]);
      if (keysyms.every((keysym) => keysym === 0) && !known.has(first + index))
        keymap.#spares.push(first + index);
    });
    keymap.#spares.splice(SPARES);
    return keymap;
  }

  /** Returns the keycode of this physical key, if it has this keysym. */
  exact(code: string, keysym: number, shift: boolean): number | undefined {
    const keycode = KEYCODE_OF.get(code);
    if (keycode === undefined) return undefined;
    const [plain, shifted] = this.#levels.get(keycode) ?? [0, 0];
    return (shift && shifted !== 0 ? shifted : plain) === keysym ? keycode : undefined;
  }

  /** Returns any keycode with this keysym, without changing the map. */
  find(keysym: number, shift: boolean): number | undefined {
    for (const [keycode, levels] of this.#levels) if (levels[shift ? 1 : 0] === keysym) return keycode;
    return undefined;
  }

  /**
   * Returns a spare keycode that has this keysym, both with and without Shift. Changes the map if needed, and
   * waits until the browser knows the new map.
   */
  async spareFor(keysym: number): Promise<number | undefined> {
    for (const keycode of this.#spares) if (this.#levels.get(keycode)?.[0] === keysym) return keycode;
    const keycode = this.#spares[this.#nextSpare++ % this.#spares.length];
    if (keycode === undefined) return undefined;
    await this.browserHasSeenAll();
    this.#levels.set(keycode, [keysym, keysym]);
    this.connection.x.ChangeKeyboardMapping(keycode, 2, [keysym, keysym]);
    await this.browserHasSeenAll();
    return keycode;
  }
}
