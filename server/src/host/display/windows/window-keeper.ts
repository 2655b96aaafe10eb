import { atomOf, request, type XConnection } from '../x-client.js';

/** Predefined atoms; X11 protocol, appendix B. */
const XA_ATOM = 4;
const XA_WINDOW = 33;
const XA_WM_NORMAL_HINTS = 40;
const XA_WM_CLASS = 67;
const XA_WM_TRANSIENT_FOR = 68;
const ANY_TYPE = 0;
/**
 * Event mask of messages to the root window: SubstructureNotify and SubstructureRedirect. With this mask, the
 * window manager receives them.
 */
const TO_WINDOW_MANAGER = 0x180000;
/**
 * Values in messages to the window manager. The first adds a state in `_NET_WM_STATE`. The second identifies
 * the sender as a pager, not as an application.
 */
const ADD = 1;
const PAGER = 2;
/**
 * Direction that ends a drag, and the position of the direction in the data of a `_NET_WM_MOVERESIZE`
 * message.
 */
const CANCEL = 11;
const DIRECTION = 2;
/**
 * Flags of a `_NET_MOVERESIZE_WINDOW` message: the message contains x and y, the sender is a pager, and the
 * position is that of the content (static gravity).
 */
const MOVE = (0b11 << 8) | (PAGER << 12) | 10;
/** Length of the size hints up to the position: flags, x and y. */
const POSITION_NUMBERS = 3;
const MAX_STATES = 32;
const MAX_WINDOWS = 64;
const MAX_ROLE_NUMBERS = 8;

const NAMES = [
  '_NET_WM_STATE',
  '_NET_WM_STATE_HIDDEN',
  '_NET_WM_STATE_FULLSCREEN',
  '_NET_WM_STATE_ABOVE',
  '_NET_WM_STATE_MAXIMIZED_VERT',
  '_NET_WM_STATE_MAXIMIZED_HORZ',
  '_NET_ACTIVE_WINDOW',
  '_NET_CLOSE_WINDOW',
  '_NET_WM_MOVERESIZE',
  '_NET_MOVERESIZE_WINDOW',
  '_NET_CLIENT_LIST_STACKING',
  'WM_WINDOW_ROLE',
] as const;
type Atoms = Record<(typeof NAMES)[number], number>;

/**
 * Keeps the browser's windows visible. Restores windows that were iconified, and enlarges windows that were
 * shrunk. Shows videos in picture-in-picture above them. Does not change windows of other kinds. Source of
 * the names and messages: EWMH.
 */
export class WindowKeeper {
  private constructor(
    private readonly connection: XConnection,
    private readonly kiosk: boolean,
    private readonly atoms: Atoms,
  ) {}

  /** @param kiosk true if main windows are full screen instead of maximised */
  static async open(connection: XConnection, kiosk: boolean): Promise<WindowKeeper> {
    const atoms = NAMES.map(async (name) => [name, await atomOf(connection, name)] as const);
    return new WindowKeeper(connection, kiosk, Object.fromEntries(await Promise.all(atoms)) as Atoms);
  }

  /** The window property that contains the states that {@link keep} checks. */
  get property(): number {
    return this.atoms._NET_WM_STATE;
  }

  /**
   * Restores a window that is iconified or does not fill the screen. Shows a video in picture-in-picture.
   */
  async keep(window: number): Promise<void> {
    const { atoms } = this;
    const states = await this.#numbers(window, atoms._NET_WM_STATE, XA_ATOM);
    if (!(await this.#isBrowser(window))) {
      if (states.includes(atoms._NET_WM_STATE_ABOVE)) await this.#showVideo(window);
      return;
    }
    const role = await this.#role(window);
    if (states.includes(atoms._NET_WM_STATE_HIDDEN))
      this.#ask(window, atoms._NET_ACTIVE_WINDOW, [PAGER, 0, 0]);
    // Does not change a page that is full screen.
    if (states.includes(atoms._NET_WM_STATE_FULLSCREEN)) return;
    const [first, second] =
      this.kiosk && role !== 'pop-up'
        ? [atoms._NET_WM_STATE_FULLSCREEN, 0]
        : [atoms._NET_WM_STATE_MAXIMIZED_VERT, atoms._NET_WM_STATE_MAXIMIZED_HORZ];
    if (!states.includes(first) || (second !== 0 && !states.includes(second)))
      this.#ask(window, atoms._NET_WM_STATE, [ADD, first, second, PAGER]);
  }

  /** True for a browser window with tabs, or a kiosk's window; false for a popup or dialog. */
  async isMain(window: number): Promise<boolean> {
    return (await this.#isBrowser(window)) && (await this.#role(window)) !== 'pop-up';
  }

  /**
   * Ends a drag of a window as soon as Chromium requests the drag. Otherwise the window manager would grab
   * the keyboard until the button is released. If the button was already released, the grab would never end.
   *
   * @param message message that was sent to the root window
   */
  endDrag({ window, type, data }: { window: number; type: number; data: readonly number[] }): void {
    if (type === this.atoms._NET_WM_MOVERESIZE && data[DIRECTION] !== CANCEL)
      this.#ask(window, type, [0, 0, CANCEL, 0, PAGER]);
  }

  /**
   * If the active window is a popup, requests that it closes. The popup may ask its user for confirmation
   * first. Resolves to true if the active window is a popup.
   */
  async closePopup(): Promise<boolean> {
    const { connection, atoms } = this;
    const [front] = await this.#numbers(connection.root, atoms._NET_ACTIVE_WINDOW, ANY_TYPE);
    if (front === undefined || (await this.#role(front)) !== 'pop-up') return false;
    this.#ask(front, atoms._NET_CLOSE_WINDOW, [0, PAGER]);
    return true;
  }

  /**
   * Shows a video in picture-in-picture. A full-screen window would cover it, unless the video's window is
   * transient for this window. The window manager centres the video, because it centres all windows without a
   * class. So this also moves it to the corner that Chromium requested.
   */
  async #showVideo(window: number): Promise<void> {
    const { connection, atoms } = this;
    const [owner, hints, stacking] = await Promise.all([
      this.#property(window, XA_WM_TRANSIENT_FOR, ANY_TYPE, 1),
      this.#numbers(window, XA_WM_NORMAL_HINTS, ANY_TYPE, POSITION_NUMBERS),
      this.#numbers(connection.root, atoms._NET_CLIENT_LIST_STACKING, XA_WINDOW, MAX_WINDOWS),
    ]);
    if (owner.length > 0) return;
    const are = await Promise.all(stacking.map((other) => this.#isBrowser(other)));
    const front = stacking.findLast((_, place) => are[place]);
    if (front === undefined) return;
    const parent = Buffer.alloc(4);
    parent.writeUInt32LE(front);
    connection.x.ChangeProperty(0, window, XA_WM_TRANSIENT_FOR, XA_WINDOW, 32, parent);
    const [, x, y] = hints;
    if (x !== undefined && y !== undefined)
      this.#ask(window, atoms._NET_MOVERESIZE_WINDOW, [MOVE, x, y, 0, 0]);
  }

  #ask(window: number, message: number, data: number[]): void {
    const { x, root } = this.connection;
    x.SendClientMessage(root, window, message, 32, data, TO_WINDOW_MANAGER);
  }

  /**
   * True for browser windows, false for dialogs and Chromium's task manager. Dialogs are transient for
   * another window, and the task manager has no class. The window's role cannot be used, because some main
   * windows have none.
   */
  async #isBrowser(window: number): Promise<boolean> {
    const [name, owner] = await Promise.all([
      this.#property(window, XA_WM_CLASS, ANY_TYPE, MAX_ROLE_NUMBERS),
      this.#property(window, XA_WM_TRANSIENT_FOR, ANY_TYPE, 1),
    ]);
    return name.length > 0 && owner.length === 0;
  }

  async #role(window: number): Promise<string> {
    const role = await this.#property(window, this.atoms.WM_WINDOW_ROLE, ANY_TYPE, MAX_ROLE_NUMBERS);
    return role.toString('latin1');
  }

  async #numbers(window: number, property: number, type: number, most = MAX_STATES): Promise<number[]> {
    const data = await this.#property(window, property, type, most);
    return Array.from({ length: Math.floor(data.length / 4) }, (_, index) => data.readUInt32LE(index * 4));
  }

  /** Reads a property; empty if the window is gone. */
  async #property(window: number, property: number, type: number, length: number): Promise<Buffer> {
    const answer = await request<{ data: Buffer }>((reply) =>
      this.connection.x.GetProperty(0, window, property, type, 0, length, reply),
    ).catch(() => undefined);
    return answer?.data ?? Buffer.alloc(0);
  }
}
