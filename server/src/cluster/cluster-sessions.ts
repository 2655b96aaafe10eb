import type { EndReason } from '../sessions/records/end-reason.js';
import type { SessionRecord } from '../sessions/records/session-record.js';
import type { PlacementRequest } from '../sessions/placement/placement.js';
import { heldPlace } from './placement/cluster-placement.js';
import type { NodeEndReason, LocalSessions } from './placement/placement-reconciler.js';
import type { HeldPlace } from './nodes/node-store.js';

/** Part of the session service that the cluster uses. */
export interface LocalSessionService {
  /** Placement requests of the sessions that hold places (reserved capacity) on this node, by session id. */
  readonly held: ReadonlyMap<string, PlacementRequest>;
  rewriteRecords(sessionIds: readonly string[]): void;
  end(sessionId: string, reason: EndReason): Promise<void>;
  /** Counts the end of a session of another node, and logs it for auditors. */
  reportEnd(record: SessionRecord): void;
}

/** Lists and ends the sessions of this node, for `PlacementReconciler` and `Fence`. */
export class ClusterSessions implements LocalSessions {
  /** Number of sessions that the cluster has ended since the start of this process, by reason. */
  readonly ended = new Map<NodeEndReason, number>();

  constructor(private readonly sessions: () => LocalSessionService) {}

  live(): readonly HeldPlace[] {
    return [...this.sessions().held].map(([id, request]) => heldPlace(id, request));
  }

  end(sessionId: string, why: NodeEndReason): Promise<void> {
    this.ended.set(why, (this.ended.get(why) ?? 0) + 1);
    return this.sessions().end(sessionId, why);
  }

  reclaimed(sessionIds: readonly string[]): void {
    this.sessions().rewriteRecords(sessionIds);
  }
}
