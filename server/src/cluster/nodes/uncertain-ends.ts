import type { SessionRecord } from '../../sessions/records/session-record.js';
import type { NodeIncarnation, NodeRow } from './node-store.js';

/**
 * Ends of sessions of lost nodes that the database may have saved although the write failed. Such a session
 * no longer counts as running, so no later work for its node would report its end. An end may be reported
 * twice, by this node and by the node that saved it. That is better than no report.
 */
export class UncertainEnds {
  readonly #ends = new Map<string, { incarnation: NodeIncarnation; record: SessionRecord }>();

  /** @param onEnded called with the end of each session that the database has saved */
  constructor(private readonly onEnded: (record: SessionRecord) => void) {}

  add(incarnation: NodeIncarnation, record: SessionRecord): void {
    this.#ends.set(record.id, { incarnation, record });
  }

  /** Reports the ends of a node's sessions that do not count as running any more. Forgets the others. */
  compare({ code, epoch }: NodeIncarnation, running: readonly SessionRecord[]): void {
    const ids = new Set(running.map(({ id }) => id));
    for (const [id, { incarnation, record }] of this.#ends) {
      if (incarnation.code !== code) continue;
      this.#ends.delete(id);
      // A node that has returned reports the ends of its sessions itself.
      if (incarnation.epoch === epoch && !ids.has(id)) this.onEnded(record);
    }
  }

  /** Reports the ends for nodes without unfinished records: another node has finished the work. */
  onNodesRead(rows: readonly NodeRow[]): void {
    for (const row of rows) if (!row.unsettled) this.compare(row, []);
  }
}
