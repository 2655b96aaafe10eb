import type { Clock } from '../../platform/time/clock.js';
import type { Log } from '../../platform/log.js';
import { repeat, type Repetition } from '../../platform/time/repeat.js';
import type { ClusterEnd } from '../../sessions/records/end-reason.js';
import { withClockTimeout } from '../clock-timeout.js';
import type { Lease } from '../nodes/lease.js';
import { lateAfter } from '../nodes/lateness.js';
import type { HeldPlace, NodeStore, ReclaimedPlaces } from '../nodes/node-store.js';
import type { PlacementStore } from './placement-store.js';
import type { Chance } from '../retry-after.js';

/** Reason for which a node itself ends a session. */
export type NodeEndReason = Exclude<ClusterEnd, 'taken_over'>;

/** The sessions that this node runs. */
export interface LocalSessions {
  /**
   * Returns all sessions whose tags must not be given to other sessions: sessions that are beginning, running
   * or ending.
   */
  live(): readonly HeldPlace[];
  /** Ends a session. Resolves when all its processes have ended. */
  end(sessionId: string, why: NodeEndReason): Promise<void>;
  /**
   * Called for sessions that continue although other nodes may have marked their records as ended. Writes the
   * records again.
   */
  reclaimed(sessionIds: readonly string[]): void;
}

/** Dependencies of {@link PlacementReconciler}. */
export interface PlacementReconcilerParts {
  store: Pick<NodeStore, 'reclaim' | 'placementsOf'>;
  places: Pick<PlacementStore, 'release'>;
  lease: Pick<Lease, 'incarnation' | 'sinceHeld' | 'interval'>;
  sessions: LocalSessions;
  clock: Clock;
  log: Log;
  chance?: Chance;
}

/** Average milliseconds between comparisons of the placements with the running sessions. */
export const RECONCILE_MS = 60_000;
/**
 * Age of a placement, in milliseconds, up to which the start order of its session may still arrive at this
 * node.
 */
const YOUNG_MS = 60_000;
const CALL_MS = 5_000;

/**
 * Keeps the placements in the database consistent with the running sessions. Releases places whose sessions
 * never arrived, and ends sessions whose tags belong to other sessions. If this node was declared lost, all
 * its other sessions continue.
 */
export class PlacementReconciler {
  #reconciliations: Repetition | undefined;
  /**
   * Sessions that had no placement at the last comparison. A session that is beginning or ending may lack a
   * placement in one comparison. So a new place is reserved only for a session that lacks a placement in two
   * comparisons in a row.
   */
  #unplaced = new Set<string>();

  constructor(private readonly parts: PlacementReconcilerParts) {}

  start(): void {
    const { clock, log, chance = Math.random } = this.parts;
    const every = () => RECONCILE_MS * (0.75 + chance() / 2);
    const onError = (error: unknown) =>
      log.warn('could not reconcile placements with running sessions', { error });
    this.#reconciliations = repeat(clock, { every, onError }, () => this.#reconcile());
  }

  stop(): void {
    this.#reconciliations?.stop();
  }

  /**
   * Continues the sessions of this incarnation after it was declared lost, except those whose tags another
   * session has. See `LeaseListener.onLost`.
   */
  async reclaim(): Promise<ReclaimedPlaces | undefined> {
    const { store, sessions, lease, clock } = this.parts;
    const live = sessions.live();
    const taken = await withClockTimeout(clock, store.reclaim(lease.incarnation, live), CALL_MS);
    if (taken) this.#supersede(live, taken);
    return taken;
  }

  /** Handles the return of the node in a new incarnation. See `LeaseListener.onReturned`. */
  onReturned({ held }: ReclaimedPlaces): void {
    this.parts.log.warn('sessions continue after this node was declared lost', { sessions: held.length });
    this.parts.sessions.reclaimed(held);
  }

  async #reconcile(): Promise<void> {
    const { store, places, lease, sessions, clock, log } = this.parts;
    // Does nothing while this node is late. It must first renew its lease, because the renewal shows if the
    // node was declared lost.
    if (lease.sinceHeld > lateAfter(lease.interval)) return;
    const booked = await withClockTimeout(clock, store.placementsOf(lease.incarnation.code), CALL_MS);
    const live = sessions.live();
    const running = new Set(live.map(({ sessionId }) => sessionId));
    const never = booked.filter(({ sessionId, age }) => age > YOUNG_MS && !running.has(sessionId));
    if (never.length > 0) {
      log.warn('releasing places of sessions that never arrived', { sessions: never.length });
      await withClockTimeout(clock, places.release(never.map(({ sessionId }) => sessionId)), CALL_MS);
    }
    const inBooks = new Set(booked.map(({ sessionId }) => sessionId));
    const unbooked = live.filter(({ sessionId }) => !inBooks.has(sessionId));
    const twice = unbooked.filter(({ sessionId }) => this.#unplaced.has(sessionId));
    this.#unplaced = new Set(unbooked.map(({ sessionId }) => sessionId));
    if (twice.length === 0) return;
    const taken = await withClockTimeout(clock, store.reclaim(lease.incarnation, twice), CALL_MS);
    if (taken) this.#supersede(twice, taken);
  }

  #supersede(sessions: readonly HeldPlace[], { held }: ReclaimedPlaces): void {
    const holding = new Set(held);
    for (const { sessionId } of sessions.filter((session) => !holding.has(session.sessionId))) {
      this.parts.log.warn('another session has taken over the tag of this session', { session: sessionId });
      this.parts.sessions
        .end(sessionId, 'superseded')
        .catch((error: unknown) =>
          this.parts.log.error('a superseded session could not be ended', { session: sessionId, error }),
        );
    }
  }
}
