import type { X11Event } from 'x11';
import { connectDisplay, type XConnection } from './x-client.js';
import type { DisplayAddress } from './x-server.js';

/** Of a window: tells of its own changes. X11 protocol, appendix B. */
const STRUCTURE_NOTIFY = 1 << 17;

/**
 * Asks the window manager whether it works, through a window that is never shown. Who wants to move a window asks it (`ConfigureRequest`),
 * and of one that it does not manage it does just that (ICCCM 4.2.2); the display then tells that the window was moved.
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

  /** Resolves when the window manager has answered; as long as there is none, when the display has. One question at a time. */
  answers(): Promise<void> {
    // Only a window that really moves is told of.
    this.#left = 1 - this.#left;
    const moved = new Promise<void>((resolve) => (this.#moved = resolve));
    this.connection.x.MoveWindow(this.window, this.#left, 0);
    return moved;
  }

  close(): void {
    this.connection.close();
  }
}
