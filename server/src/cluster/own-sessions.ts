import type { EndReason } from '../sessions/end-reason.js';
import type { PlacementRequest } from '../sessions/placement.js';
import { heldPlace } from './cluster-placement.js';
import type { CustodyEnd, OwnSessions } from './custody.js';
import type { HeldPlace } from './node-store.js';

/** Part of the session service that the cluster uses. */
export interface SessionsOfNode {
  /** Sessions that hold places here. */
  readonly held: ReadonlyMap<string, PlacementRequest>;
  keepAgain(sessionIds: readonly string[]): void;
  end(sessionId: string, reason: EndReason): Promise<void>;
}

/** The sessions of this node, as the cluster's placements need them. */
export class NodeSessions implements OwnSessions {
  /** Sessions that the cluster has ended since the start, counted by reason. */
  readonly ended = new Map<CustodyEnd, number>();

  constructor(private readonly sessions: () => SessionsOfNode) {}

  live(): readonly HeldPlace[] {
    return [...this.sessions().held].map(([id, wanted]) => heldPlace(id, wanted));
  }

  end(sessionId: string, why: CustodyEnd): Promise<void> {
    this.ended.set(why, (this.ended.get(why) ?? 0) + 1);
    return this.sessions().end(sessionId, why);
  }

  tookUp(sessionIds: readonly string[]): void {
    this.sessions().keepAgain(sessionIds);
  }
}
