import type { ServerDisconnectReason } from 'cloud-browser/protocol';
import type { Wanted } from '../sessions/placement.js';
import { heldPlace } from './cluster-placement.js';
import { CUSTODY_MESSAGES, type CustodyEnd, type OwnSessions } from './custody.js';
import type { HeldPlace } from './node-store.js';

/** What of a session service the books of a cluster are about. */
export interface SessionsOfNode {
  /** The sessions that hold places here. */
  readonly held: ReadonlyMap<string, Wanted>;
  keepAgain(sessionIds: readonly string[]): void;
  end(sessionId: string, reason: ServerDisconnectReason, message?: string): Promise<void>;
}

/** The sessions of this node, for those who keep the books. */
export class NodeSessions implements OwnSessions {
  /** Sessions that the cluster has ended, by why: how many since the start. */
  readonly ended = new Map<CustodyEnd, number>();

  constructor(private readonly sessions: () => SessionsOfNode) {}

  live(): readonly HeldPlace[] {
    return [...this.sessions().held].map(([id, wanted]) => heldPlace(id, wanted));
  }

  end(sessionId: string, why: CustodyEnd): Promise<void> {
    this.ended.set(why, (this.ended.get(why) ?? 0) + 1);
    return this.sessions().end(sessionId, 'ended', CUSTODY_MESSAGES[why]);
  }

  tookUp(sessionIds: readonly string[]): void {
    this.sessions().keepAgain(sessionIds);
  }
}
