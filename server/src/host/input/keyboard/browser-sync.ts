import x11, { type X11Event } from 'x11';
import type { DropCounter } from '../../browser/cdp/drop-counter.js';
import { ClientWindows } from '../../display/windows/client-windows.js';
import { request, roundTrip, type XConnection } from '../../display/x-client.js';
import { displayAnswer } from '../display-answer.js';

/**
 * Waits until the browser has handled all input so far. Sends the browser a ping as a window manager does
 * (`_NET_WM_PING`, EWMH). The ping is in the same queue as key events. So the browser answers the ping after
 * it has handled all earlier key events. The host waits for this before it changes the keyboard map, and
 * before it sends text over CDP. Otherwise the change or the text could overtake key events.
 */
export class BrowserSync {
  readonly #waiting = new Map<number, () => void>();
  #token = 1;
  #responsive = true;

  private constructor(
    private readonly connection: XConnection,
    private readonly windows: ClientWindows,
    private readonly atoms: { protocols: number; ping: number },
    private readonly drops: DropCounter,
  ) {
    connection.x.on('event', (event: X11Event) => {
      if (event.name !== 'ClientMessage') return;
      const data = event['data'] as number[] | undefined;
      const token = data?.[1];
      if (data?.[0] !== atoms.ping || token === undefined) return;
      this.#responsive = true;
      this.#waiting.get(token)?.();
      this.#waiting.delete(token);
    });
  }

  static async open(connection: XConnection, drops: DropCounter): Promise<BrowserSync> {
    const { x, root } = connection;
    const atom = (name: string) => request<number>((reply) => x.InternAtom(false, name, reply));
    const [windows, protocols, ping] = await Promise.all([
      ClientWindows.open(connection),
      atom('WM_PROTOCOLS'),
      atom('_NET_WM_PING'),
    ]);
    x.ChangeWindowAttributes(root, { eventMask: x11.eventMask.SubstructureNotify });
    return new BrowserSync(connection, windows, { protocols, ping }, drops);
  }

  /**
   * Resolves when the browser has handled the input, or at the timeout. After a timeout, this method resolves
   * at once, until the browser has answered a later ping.
   */
  async settled(): Promise<void> {
    const token = this.#token++;
    const handled = this.#ask(token).then(() => (this.#responsive = true));
    if (!this.#responsive) {
      handled.catch(() => undefined);
      return;
    }
    this.#responsive = (await displayAnswer('_NET_WM_PING', handled, this.drops)) ?? false;
    this.#waiting.delete(token);
  }

  async #ask(token: number): Promise<void> {
    const [window] = await this.windows.list();
    if (window === undefined) return roundTrip(this.connection);
    const { x } = this.connection;
    const { protocols, ping } = this.atoms;
    const answered = new Promise<void>((resolve) => this.#waiting.set(token, resolve));
    x.SendClientMessage(window, window, protocols, 32, [ping, token, window], 0);
    return answered;
  }
}
