import type { PeerPointer } from '../protocol/index.js';
import type { Viewer } from '../viewer/index.js';
import type { FromEmbed } from './messages.js';

/** Tells where the other users' pointers are, as far as the session shows them to this one. */
export class PeerPointers {
  #following = false;

  constructor(
    private readonly viewer: Viewer,
    private readonly post: (message: FromEmbed) => void,
  ) {}

  /** Asks the session, after every connection: what it refused before it may grant now. */
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
