import type { X11Event } from 'x11';
import { connectDisplay, type XConnection } from '../x-client.js';
import type { DisplayAddress } from '../x-server.js';

/** Event mask for a window's own changes; X11 protocol, appendix B. */
const STRUCTURE_NOTIFY = 1 << 17;

/**
 * Checks that the window manager works, through a window that is never shown. When the host requests that
 * this window moves, the display passes the request to the window manager (`ConfigureRequest`). The window
 * manager does not manage this window, so it must carry out the request unchanged (ICCCM 4.2.2). Then the
 * display reports the move to the host.
 */
export class WindowManagerPing {
  #left = 0;
  #moved: () => void = () => undefined;

  private constructor(
    private readonly connection: XConnection,
    private readonly window: number,
  ) {
    connection.x.on('event', ({ name, wid }: X11Event) => {
      if (name === 'ConfigureNotify' && wid === window) this.#moved();
    });
  }

  static async open(address: DisplayAddress): Promise<WindowManagerPing> {
    const connection = await connectDisplay(address);
    const { x, root } = connection;
    const window = x.AllocID();
    x.CreateWindow(window, root, 0, 0, 1, 1);
    x.ChangeWindowAttributes(window, { eventMask: STRUCTURE_NOTIFY });
    return new WindowManagerPing(connection, window);
  }

  /**
   * Resolves when the window manager has answered. Without a window manager, it resolves when the display has
   * answered. Call it again only after it has resolved.
   */
  answers(): Promise<void> {
    // Moves the window to another position each time, because the display reports only real moves.
    this.#left = 1 - this.#left;
    const moved = new Promise<void>((resolve) => (this.#moved = resolve));
    this.connection.x.MoveWindow(this.window, this.#left, 0);
    return moved;
  }

  close(): void {
    this.connection.close();
  }
}
