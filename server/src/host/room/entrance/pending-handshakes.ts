import type { Hello, SecondHello } from 'cloud-browser/protocol';
import type { WebSocket } from 'ws';
import { closeSocket, readHello } from '../handshake.js';

/**
 * Number of connections without a hello that every session allows. A session whose maximum number of viewers
 * is higher allows that number.
 */
const MAX_STRANGERS = 64;

/**
 * Connections that have not sent a hello. If there are too many, the oldest of them is closed, and its client
 * does not reconnect. All viewers that a session accepts may connect at the same time. So the limit is never
 * lower than the maximum number of viewers.
 */
export class PendingHandshakes {
  readonly #silent = new Set<WebSocket>();

  /**
   * Waits for the hello of a connection. Resolves to undefined if the connection is closed or closing.
   *
   * @param viewers maximum number of viewers of the session
   */
  async awaitHello(socket: WebSocket, viewers: number): Promise<Hello | SecondHello | undefined> {
    this.#silent.add(socket);
    const [longest] = this.#silent;
    if (longest && this.#silent.size > Math.max(MAX_STRANGERS, viewers)) {
      this.#silent.delete(longest);
      closeSocket(longest, 'rejected', 'The connection sent no hello, and too many others were waiting.');
    }
    const hello = await readHello(socket);
    return this.#silent.delete(socket) ? hello : undefined;
  }
}
