import x11, { type X11Event } from 'x11';
import { ClientWindows } from './client-windows.js';
import { WindowKeeper } from './window-keeper.js';
import { openOn, request, roundTrip, type XConnection } from '../x-client.js';
import type { DisplayAddress } from '../x-server.js';

/** A predefined atom, and the flag of a minimum size; X11 protocol, appendix B, and ICCCM 4.1.2.3. */
const XA_WM_NORMAL_HINTS = 40;
const MINIMUM_SIZE = 1 << 4;
/** Positions in the property, which is a list of 32-bit numbers: flags, x, y, width, height, minimum size. */
const FLAGS = 0;
const MIN_WIDTH = 5;
const MIN_HEIGHT = 6;
const HINT_NUMBERS = 18;

/**
 * Makes windows fit small screens. Chromium requests a minimum width of 500 pixels, and the window manager
 * grants it. On a phone's screen, the right part of the page would then be outside the screen. So this class
 * removes the size hints of a window whose minimum size is larger than the screen. Then the window manager
 * fits the window to the screen. {@link WindowKeeper} keeps the windows at the screen's size.
 */
export class WindowFit {
  /** Called when another main window opens beside an existing one. */
  onSecondWindow: (() => void) | undefined;
  readonly #known = new Set<number>();

  private constructor(
    private readonly connection: XConnection,
    private screen: { width: number; height: number },
    private readonly windows: ClientWindows,
    private readonly keeper: WindowKeeper,
  ) {
    const { x, root } = connection;
    x.on('event', (event: X11Event) => {
      if (event.name === 'ClientMessage') keeper.endDrag(messageOf(event));
      if (event.name !== 'PropertyNotify') return;
      if (event['wid'] === root && event['atom'] === windows.property) void this.#followWindows();
      else if (event['atom'] === XA_WM_NORMAL_HINTS) void this.#fit(event['wid'] as number);
      else if (event['atom'] === keeper.property) void keeper.keep(event['wid'] as number);
    });
    // With SubstructureNotify, the host also receives the requests of programs to the window manager.
    const eventMask = x11.eventMask.PropertyChange | x11.eventMask.SubstructureNotify;
    x.ChangeWindowAttributes(root, { eventMask });
    void this.#followWindows();
  }

  /** Watches all windows from now on. */
  static start(
    address: DisplayAddress,
    screen: { width: number; height: number },
    kiosk: boolean,
  ): Promise<WindowFit> {
    return openOn(address, async (connection) => {
      const [windows, keeper] = await Promise.all([
        ClientWindows.open(connection),
        WindowKeeper.open(connection, kiosk),
      ]);
      return new WindowFit(connection, screen, windows, keeper);
    });
  }

  /** Prepares for another size of the screen. Resolves when all windows can have this size. */
  async expect(screen: { width: number; height: number }): Promise<void> {
    this.screen = screen;
    for (const window of this.#known) await this.#fit(window);
    await roundTrip(this.connection);
  }

  close(): void {
    this.connection.close();
  }

  async #followWindows(): Promise<void> {
    const windows = await this.windows.list();
    for (const window of this.#known) if (!windows.includes(window)) this.#known.delete(window);
    const added = windows.filter((window) => !this.#known.has(window));
    for (const window of added) {
      this.#known.add(window);
      this.connection.x.ChangeWindowAttributes(window, { eventMask: x11.eventMask.PropertyChange });
      await this.#fit(window);
      await this.keeper.keep(window);
    }
    const main = await Promise.all(windows.map((window) => this.keeper.isMain(window)));
    if (added.length > 0 && main.filter(Boolean).length > 1) this.onSecondWindow?.();
  }

  async #fit(window: number): Promise<void> {
    const hints = await this.#sizeHints(window);
    if (hints.length < (MIN_HEIGHT + 1) * 4) return;
    const number = (place: number) => hints.readUInt32LE(place * 4);
    if ((number(FLAGS) & MINIMUM_SIZE) === 0) return;
    if (number(MIN_WIDTH) > this.screen.width || number(MIN_HEIGHT) > this.screen.height) {
      this.connection.x.DeleteProperty(window, XA_WM_NORMAL_HINTS);
    }
  }

  /** Returns the size hints; empty if the window is gone. */
  async #sizeHints(window: number): Promise<Buffer> {
    const answer = await request<{ data: Buffer }>((reply) =>
      this.connection.x.GetProperty(0, window, XA_WM_NORMAL_HINTS, 0, 0, HINT_NUMBERS, reply),
    ).catch(() => undefined);
    return answer?.data ?? Buffer.alloc(0);
  }
}

function messageOf(event: X11Event): { window: number; type: number; data: number[] } {
  return {
    window: event['wid'] as number,
    type: event['message_type'] as number,
    data: event['data'] as number[],
  };
}
