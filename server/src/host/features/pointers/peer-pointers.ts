import type { PeerPointer } from 'cloud-browser/protocol';
import { forAll } from '../../room/calls/access.js';
import type { Calls } from '../../room/calls/calls.js';
import { canSee, canUse } from '../../room/users/can-use.js';
import type { AgentIdentity } from '../../room/users/known-users.js';
import type { Viewer } from '../../room/viewers/viewer.js';

/** Interval between two reports of the pointers: about one animation frame. */
const INTERVAL_MS = 16;

/**
 * Sends the pointer positions of other users to users with the role `cursor_data` and to admins. Sends the
 * pointers of agents to all users who may see the picture. These pointers are not private, because agents are
 * not people.
 */
export class PeerPointers {
  /** Pointer positions since the last report. */
  readonly #fresh = new Map<string, PeerPointer>();
  readonly #shown = new Set<string>();
  /** Agents whose pointers are shown. */
  readonly #agents = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly calls: Calls) {
    // Every user may subscribe, so that no user has to subscribe again after getting the role. Without the
    // role, users receive only the pointers of agents.
    calls.addEvent('users.onPointer', forAll);
    calls.addEvent('users.onPointerLeft', forAll);
  }

  /**
   * Records the position of a user's pointer.
   *
   * @param x, y fractions of the screen, 0 to 1
   * @param agent present if the user is an agent
   */
  moved(userId: string, x: number, y: number, agent?: AgentIdentity): void {
    if (!this.calls.hasSubscribers('users.onPointer')) return;
    const [left, top] = [x, y].map((place) => Math.min(1, Math.max(0, place)));
    this.#fresh.set(userId, { userId, x: left ?? 0, y: top ?? 0, ...(agent && { agent }) });
    if (!this.#timer) this.#notify();
  }

  /** Reports that a user has left, so that viewers remove the pointer. */
  left(userId: string): void {
    this.#fresh.delete(userId);
    if (this.#shown.delete(userId)) this.calls.publish('users.onPointerLeft', [userId], mayFollow(userId));
    if (this.#agents.delete(userId)) this.calls.publish('users.onPointerLeft', [userId], canSee);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #notify(): void {
    for (const pointer of this.#fresh.values()) {
      const { userId, agent } = pointer;
      (agent ? this.#agents : this.#shown).add(userId);
      this.calls.publish('users.onPointer', [pointer], agent ? canSee : mayFollow(userId));
    }
    this.#fresh.clear();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#fresh.size > 0) this.#notify();
    }, INTERVAL_MS);
  }
}

/** Returns a check that is true for viewers who may see a user's pointer. */
const mayFollow = (of: string) => (viewer: Viewer) => viewer.userId !== of && canUse(viewer, 'cursor_data');
