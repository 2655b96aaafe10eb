import type { PeerPointer } from '../protocol/index.js';
import type { Viewer } from '../viewer/index.js';
import type { FromEmbed } from './messages.js';

/**
 * Sends the client the positions of the other users' pointers, if the session allows this user to see them.
 */
export class PeerPointers {
  #following = false;

  constructor(
    private readonly viewer: Viewer,
    private readonly post: (message: FromEmbed) => void,
  ) {}

  /**
   * Subscribes. Does nothing if an earlier call has subscribed. Call it after every connection, because the
   * earlier call may have failed.
   */
  follow(): void {
    if (this.#following) return;
    this.#following = true;
    this.viewer.client.remote.subscribe('users.onPointer', this.#moved).catch(() => {
      this.#following = false;
    });
  }

  close(): void {
    this.viewer.client.remote.unsubscribe('users.onPointer', this.#moved);
  }

  readonly #moved = ({ userId, x, y }: PeerPointer): void => {
    const client = this.viewer.toClient(x, y);
    this.post({ type: 'peer_mouse', data: { userId, x, y, clientX: client.x, clientY: client.y } });
  };
}
