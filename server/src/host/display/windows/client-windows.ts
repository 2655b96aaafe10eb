import { atomOf, request, type XConnection } from '../x-client.js';

/** A predefined atom; X11 protocol, appendix B. */
const XA_WINDOW = 33;
/** Maximum number of windows that are read. Further windows are ignored. */
const MAX_WINDOWS = 64;

/** The windows that the window manager manages, oldest first (`_NET_CLIENT_LIST` of EWMH). */
export class ClientWindows {
  private constructor(
    private readonly connection: XConnection,
    /** The property of the root window that contains the list. */
    readonly property: number,
  ) {}

  static async open(connection: XConnection): Promise<ClientWindows> {
    return new ClientWindows(connection, await atomOf(connection, '_NET_CLIENT_LIST'));
  }

  /**
   * True if one of these windows has the keyboard focus. False if a menu or another unmanaged window has it.
   */
  async hasKeyboard(): Promise<boolean> {
    const { x } = this.connection;
    const [{ focus }, windows] = await Promise.all([
      request<{ focus: number }>((reply) => x.GetInputFocus(reply)),
      this.list(),
    ]);
    return windows.includes(focus);
  }

  /**
   * Returns the windows. Returns an empty list before the window manager runs, or when the display is gone.
   */
  async list(): Promise<number[]> {
    const { x, root } = this.connection;
    const answer = await request<{ data: Buffer }>((reply) =>
      x.GetProperty(0, root, this.property, XA_WINDOW, 0, MAX_WINDOWS, reply),
    ).catch(() => undefined);
    const data = answer?.data ?? Buffer.alloc(0);
    return Array.from({ length: Math.floor(data.length / 4) }, (_, index) => data.readUInt32LE(index * 4));
  }
}
