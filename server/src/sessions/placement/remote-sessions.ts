import type { Clock } from '../../platform/time/clock.js';
import type { OtherNodes } from './other-nodes.js';
import type { Registry } from '../ports.js';
import { PAGE_SIZE } from '../records/session-list.js';
import { runningBy, type SessionRecord, type SessionStatus } from '../records/session-record.js';

/** Dependencies of {@link RemoteSessions}. */
export interface RemoteSessionsParts {
  registry: Pick<Registry, 'running'>;
  otherNodes: Pick<OtherNodes, 'statuses'>;
  clock: Clock;
}

/** The running sessions of the other nodes. */
export class RemoteSessions {
  /** @param isHere returns true if a session runs on this node */
  constructor(
    private readonly parts: RemoteSessionsParts,
    private readonly isHere: (sessionId: string) => boolean,
  ) {}

  /**
   * Returns at most one page of these sessions, after the given session. If a node does not report the state
   * of a session, the session counts as running.
   */
  async page(after: SessionRecord | undefined): Promise<SessionStatus[]> {
    const { registry, otherNodes, clock } = this.parts;
    const records = (await registry.running(after, PAGE_SIZE)).filter(({ id }) => !this.isHere(id));
    const told = await otherNodes.statuses(records.map(({ id }) => id));
    const byId = new Map(told.map((status) => [status.record.id, status]));
    const now = clock.date().getTime();
    return records.map((record) => byId.get(record.id) ?? runningBy(record, now));
  }
}
