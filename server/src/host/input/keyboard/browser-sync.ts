import x11, { type X11Event } from 'x11';
import { ClientWindows } from '../../display/client-windows.js';
import { request, roundTrip, type XConnection } from '../../display/x-client.js';

const PATIENCE_MS = 250;

/**
 * Tells when the browser has handled the input that was sent so far. It asks as a window manager does (`_NET_WM_PING`,
 * EWMH): the answer takes the same queue as key events, so it arrives when they are through. Needed where the order of
 * X input and something else matters: a changed keyboard map, text that goes in over CDP.
 */
export class BrowserSync {
  readonly #waiting = new Map<number, () => void>();
  #token = 1;

  private constructor(
    private readonly connection: XConnection,
    private readonly windows: ClientWindows,
    private readonly atoms: { protocols: number; ping: number },
  ) {
    connection.x.on('event', (event: X11Event) => {
      if (event.name !== 'ClientMessage') return;
      const data = event['data'] as number[] | undefined;
      const token = data?.[1];
      if (data?.[0] !== atoms.ping || token === undefined) return;
      this.#waiting.get(token)?.();
      this.#waiting.delete(token);
    });
  }

  static async open(connection: XConnection): Promise<BrowserSync> {
    const { x, root } = connection;
    const atom = (name: string) => request<number>((reply) => x.InternAtom(false, name, reply));
    const [windows, protocols, ping] = await Promise.all([
      ClientWindows.open(connection),
      atom('WM_PROTOCOLS'),
      atom('_NET_WM_PING'),
    ]);
    x.ChangeWindowAttributes(root, { eventMask: x11.eventMask.SubstructureNotify });
    return new BrowserSync(connection, windows, { protocols, ping });
  }

  /** Resolves when the browser is through, or after a quarter of a second when it does not answer. */
  async settled(): Promise<void> {
    const [window] = await this.windows.list();
    if (window === undefined) return roundTrip(this.connection);
    const { x } = this.connection;
    const token = this.#token++;
    await new Promise<void>((resolve) => {
      const patience = setTimeout(() => {
        this.#waiting.delete(token);
        resolve();
      }, PATIENCE_MS);
      this.#waiting.set(token, () => {
        clearTimeout(patience);
        resolve();
      });
      x.SendClientMessage(window, window, this.atoms.protocols, 32, [this.atoms.ping, token, window], 0);
    });
  }
}
