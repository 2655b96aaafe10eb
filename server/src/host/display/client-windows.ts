import { request, type XConnection } from './x-client.js';

/** A predefined atom; X11 protocol, appendix B. */
const XA_WINDOW = 33;
/** A browser with more windows than this is asked about the first ones only. */
const MAX_WINDOWS = 64;

/** The windows that the window manager manages, oldest first: `_NET_CLIENT_LIST` of EWMH. */
export class ClientWindows {
  private constructor(
    private readonly connection: XConnection,
    /** The property of the root window that changes with the list. */
    readonly property: number,
  ) {}

  static async open(connection: XConnection): Promise<ClientWindows> {
    const property = await request<number>((reply) =>
      connection.x.InternAtom(false, '_NET_CLIENT_LIST', reply),
    );
    return new ClientWindows(connection, property);
  }

  /** Whether one of them has the keyboard, and no menu or other thing that the window manager does not manage. */
  async hasKeyboard(): Promise<boolean> {
    const { x } = this.connection;
    const [{ focus }, windows] = await Promise.all([
      request<{ focus: number }>((reply) => x.GetInputFocus(reply)),
      this.list(),
    ]);
    return windows.includes(focus);
  }

  /** None before the window manager runs, and when the display is gone. */
  async list(): Promise<number[]> {
    const { x, root } = this.connection;
    const answer = await request<{ data: Buffer }>((reply) =>
      x.GetProperty(0, root, this.property, XA_WINDOW, 0, MAX_WINDOWS, reply),
    ).catch(() => undefined);
    const data = answer?.data ?? Buffer.alloc(0);
    return Array.from({ length: Math.floor(data.length / 4) }, (_, index) => data.readUInt32LE(index * 4));
  }
}
