import type { Hello } from 'cloud-browser/protocol';
import type { WebSocket } from 'ws';
import { closeSocket, readHello } from './handshake.js';

/** As many as may view; a viewer says hello with the first bytes it sends. */
const MAX_STRANGERS = 64;

/** Connections that have not said hello. When there are too many, the one that has been silent longest makes room. */
export class Strangers {
  readonly #silent = new Set<WebSocket>();

  /** Waits for the hello of a connection; undefined: it is closed, or about to be. */
  async greet(socket: WebSocket): Promise<Hello | undefined> {
    this.#silent.add(socket);
    const [longest] = this.#silent;
    if (longest && this.#silent.size > MAX_STRANGERS) {
      this.#silent.delete(longest);
      closeSocket(longest, 'rejected', 'The connection said nothing while others came.');
    }
    const hello = await readHello(socket);
    return this.#silent.delete(socket) ? hello : undefined;
  }
}
