import type { PeerPointer } from 'cloud-browser/protocol';
import type { Calls } from '../calls/calls.js';
import { hasRole } from './rights.js';
import type { Viewer } from '../viewer.js';

/** Where another user points; the argument is a `PeerPointer`. */
export const POINTER_EVENT = 'users.onPointer';
/** A user does not point any more; the argument is their id. */
export const POINTER_LEFT_EVENT = 'users.onPointerLeft';

/** Between two reports of the pointers: about one frame of an animation. */
const INTERVAL_MS = 16;

/** Tells users with the role `cursor_data` where the others point. */
export class PeerPointers {
  /** Where users pointed since the last telling. */
  readonly #fresh = new Map<string, PeerPointer>();
  readonly #shown = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly calls: Calls) {
    // Anybody may subscribe, so that who gets the role later need not do so again; events come only with the role.
    for (const event of [POINTER_EVENT, POINTER_LEFT_EVENT]) calls.addEvent(event, () => undefined);
  }

  /** @param x, y shares of the screen, 0 to 1 */
  moved(userId: string, x: number, y: number): void {
    if (!this.calls.hasSubscribers(POINTER_EVENT)) return;
    this.#fresh.set(userId, { userId, x: Math.min(1, x), y: Math.min(1, y) });
    if (!this.#timer) this.#tell();
  }

  /** The user has left, or may not point any more. */
  left(userId: string): void {
    this.#fresh.delete(userId);
    if (this.#shown.delete(userId)) this.#publish(POINTER_LEFT_EVENT, userId, userId);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #tell(): void {
    for (const pointer of this.#fresh.values()) {
      this.#shown.add(pointer.userId);
      this.#publish(POINTER_EVENT, pointer, pointer.userId);
    }
    this.#fresh.clear();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#fresh.size > 0) this.#tell();
    }, INTERVAL_MS);
  }

  #publish(event: string, argument: unknown, of: string): void {
    const mayKnow = ({ userId, rights }: Viewer) => userId !== of && hasRole(rights, 'cursor_data');
    this.calls.publish(event, [argument], mayKnow);
  }
}
