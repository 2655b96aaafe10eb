import { request, type XConnection } from '../../display/x-client.js';
import { KEYCODE_OF } from './key-codes.js';

/** What a key gives without and with Shift. */
type Levels = [plain: number, shifted: number];

/** Enough spare keycodes to type a phrase without giving any of them a second meaning in it. */
const SPARES = 24;

/**
 * The display's keyboard map: American, plus spare keycodes that can be made to give any character. A changed map
 * reaches the text that Chromium enters but not the `key` of its events (Chromium reads the map for those once), so
 * spares are for the browser's own fields, where no page listens to key events.
 */
export class Keymap {
  readonly #levels = new Map<number, Levels>();
  readonly #spares: number[] = [];
  #nextSpare = 0;

  private constructor(
    private readonly connection: XConnection,
    private readonly browserHasSeenAll: () => Promise<void>,
  ) {}

  /** @param browserHasSeenAll resolves when the browser has handled everything sent to the display before the call */
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

  /** The keycode of this physical key, if it gives this keysym. */
  exact(code: string, keysym: number, shift: boolean): number | undefined {
    const keycode = KEYCODE_OF.get(code);
    if (keycode === undefined) return undefined;
    const [plain, shifted] = this.#levels.get(keycode) ?? [0, 0];
    return (shift && shifted !== 0 ? shifted : plain) === keysym ? keycode : undefined;
  }

  /** Any keycode that gives this keysym without changing the map. */
  find(keysym: number, shift: boolean): number | undefined {
    for (const [keycode, levels] of this.#levels) if (levels[shift ? 1 : 0] === keysym) return keycode;
    return undefined;
  }

  /** A keycode that gives this keysym whatever Shift says; changes the map, and waits until the browser knows. */
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
