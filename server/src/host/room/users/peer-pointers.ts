import type { PeerPointer } from 'cloud-browser/protocol';
import { forAll } from '../calls/access.js';
import type { Calls } from '../calls/calls.js';
import { hasRole } from './rights.js';
import type { Viewer } from '../viewer.js';

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
    calls.addEvent('users.onPointer', forAll);
    calls.addEvent('users.onPointerLeft', forAll);
  }

  /** @param x, y shares of the screen, 0 to 1 */
  moved(userId: string, x: number, y: number): void {
    if (!this.calls.hasSubscribers('users.onPointer')) return;
    this.#fresh.set(userId, { userId, x: Math.min(1, x), y: Math.min(1, y) });
    if (!this.#timer) this.#tell();
  }

  /** The user has left, or may not point any more. */
  left(userId: string): void {
    this.#fresh.delete(userId);
    if (this.#shown.delete(userId)) this.calls.publish('users.onPointerLeft', [userId], mayFollow(userId));
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #tell(): void {
    for (const pointer of this.#fresh.values()) {
      this.#shown.add(pointer.userId);
      this.calls.publish('users.onPointer', [pointer], mayFollow(pointer.userId));
    }
    this.#fresh.clear();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#fresh.size > 0) this.#tell();
    }, INTERVAL_MS);
  }
}

/** Whether a viewer may know where a user points. */
const mayFollow =
  (of: string) =>
  ({ userId, rights }: Viewer) =>
    userId !== of && hasRole(rights, 'cursor_data');
