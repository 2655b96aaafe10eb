import type { Viewer } from '../viewer/index.js';
import type { FromEmbed } from './messages.js';

/** The session's event for the pointers of its other users. */
const POINTER = 'users.onPointer';

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
    this.viewer.client.remote.subscribe(POINTER, this.#moved).catch(() => {
      this.#following = false;
    });
  }

  close(): void {
    this.viewer.client.remote.unsubscribe(POINTER, this.#moved);
  }

  readonly #moved = (pointer: unknown): void => {
    const { userId, x, y } = (pointer ?? {}) as { userId?: unknown; x?: unknown; y?: unknown };
    if (typeof userId !== 'string' || typeof x !== 'number' || typeof y !== 'number') return;
    const client = this.viewer.toClient(x, y);
    this.post({ type: 'peer_mouse', data: { userId, x, y, clientX: client.x, clientY: client.y } });
  };
}
