import { encodeControl, PROTOCOL_VERSION, SUBPROTOCOL } from '../../protocol/index.js';
import type { CreateSocket, SocketLike } from './socket.js';

/**
 * A second socket to the session host, for copies of frames and of input. The host requests it if the network
 * loses packets. If the second socket fails or ends, the first one continues alone.
 */
export class SecondConnection {
  #socket: SocketLike | undefined;
  #open = false;

  /**
   * @param key the host's key for this viewer
   * @param receive receives the binary messages
   */
  constructor(url: string, key: string, createSocket: CreateSocket, receive: (bytes: Uint8Array) => void) {
    try {
      this.#socket = createSocket(url, SUBPROTOCOL, {
        onOpen: () => {
          this.#open = true;
          this.#socket?.send(encodeControl({ type: 'second-hello', version: PROTOCOL_VERSION, key }));
        },
        onMessage: (data) => {
          if (this.#open && typeof data !== 'string') receive(data);
        },
        onClose: () => (this.#open = false),
      });
    } catch {
      // Ignores the error, because the first connection transfers all messages.
    }
  }

  /** Sends a copy of a message. */
  send(data: Uint8Array): void {
    if (this.#open) this.#socket?.send(data);
  }

  close(): void {
    this.#open = false;
    this.#socket?.close();
  }
}
