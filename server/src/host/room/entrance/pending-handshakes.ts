import type { Hello, SecondHello } from 'cloud-browser/protocol';
import type { WebSocket } from 'ws';
import { closeSocket, readHello } from '../handshake.js';

/**
 * Maximum number of connections without a hello. It equals the default of the maximum number of viewers. A
 * viewer sends its hello immediately, so more are not needed.
 */
const MAX_STRANGERS = 64;

/** Connections that have not sent a hello. If there are too many, the oldest of them is closed. */
export class PendingHandshakes {
  readonly #silent = new Set<WebSocket>();

  /** Waits for the hello of a connection. Resolves to undefined if the connection is closed or closing. */
  async awaitHello(socket: WebSocket): Promise<Hello | SecondHello | undefined> {
    this.#silent.add(socket);
    const [longest] = this.#silent;
    if (longest && this.#silent.size > MAX_STRANGERS) {
      this.#silent.delete(longest);
      closeSocket(longest, 'rejected', 'The connection sent no hello, and too many others were waiting.');
    }
    const hello = await readHello(socket);
    return this.#silent.delete(socket) ? hello : undefined;
  }
}
