import { DatabaseError } from '../../database/database-error.js';
import type { Clock } from '../../platform/time/clock.js';
import type { Log } from '../../platform/log.js';
import type { LastHeartbeat } from '../../sessions/ports.js';
import { endedByKill } from '../../sessions/records/recovery.js';
import type { SessionRecord } from '../../sessions/records/session-record.js';
import { isLate, isLosable } from './known-nodes.js';
import type { Lease } from './lease.js';
import type { NodeIncarnation, NodeRow, NodeStore } from './node-store.js';
import { UncertainEnds } from './uncertain-ends.js';

/** Time for which a node's own renewals must have succeeded before it declares others lost. */
export const STEADY_MS = 60_000;
/**
 * Time for which no node is declared lost after at least two nodes and at least half of the nodes have become
 * late.
 */
export const MANY_LATE_MS = 600_000;
/**
 * During this time after the loss of a node, only the node that declared the loss marks the records of the
 * lost node's sessions as ended. After this time, all other nodes may do so too. If a node has left with
 * unfinished records, the other nodes also wait for this time, because its next process may end them.
 */
const SETTLE_MS = 10_000;

/** Session records of all nodes. */
export interface RecordsOfNodes {
  /** Returns the records of a node's sessions that have not ended. */
  unfinishedOf(node: string): Promise<SessionRecord[]>;
  /**
   * Saves a session's record for a lost incarnation of the session's node. Resolves to false if the record
   * already had an end, because another node was faster. Rejects if the node has returned.
   */
  saveFor(incarnation: NodeIncarnation, record: SessionRecord): Promise<boolean>;
}

/** Dependencies of {@link LostNodes}. */
export interface LostNodesParts {
  store: Pick<NodeStore, 'declareLost' | 'settled'>;
  lease: Pick<Lease, 'incarnation' | 'connectedFor'>;
  records: RecordsOfNodes;
  /** Called after this node has saved the end of a session. Counts the end, and logs it for auditors. */
  onEnded?: (record: SessionRecord) => void;
  clock: Clock;
  log: Log;
}

/**
 * Declares nodes lost after their leases have expired, and marks the records of their sessions as ended. Does
 * the same for the records of an earlier process of a node that has left. A process leaves without ending
 * these records if it joins but cannot start.
 *
 * If the database stops, all nodes miss their renewals at once and look lost. So a node that was itself cut
 * off within the last minute declares no other node lost. If at least two nodes and at least half of the
 * nodes are late, no node is declared lost in the first ten minutes of this state. A single late node may be
 * declared lost even in a small cluster, because the other nodes still reach the database.
 */
export class LostNodes {
  /** Moment since which at least two nodes and at least half of the nodes are late. */
  #manySince: number | undefined;
  /**
   * For each node that is lost or has left, and has unfinished session records: the moment at which this node
   * first saw it in that state.
   */
  readonly #unsettled = new Map<string, number>();
  #work: Promise<void> | undefined;
  #closed = false;

  readonly #uncertain: UncertainEnds;

  constructor(private readonly parts: LostNodesParts) {
    this.#uncertain = new UncertainEnds((record) => parts.onEnded?.(record));
  }

  /** Handles the rows of all nodes after a read. */
  onNodesRead(rows: readonly NodeRow[]): void {
    this.#countLate(rows);
    this.#noteUnsettled(rows);
    if (this.#work || this.#closed) return;
    this.#uncertain.onNodesRead(rows);
    this.#work = this.#handle(rows)
      .catch((error: unknown) =>
        this.parts.log.warn('could not finish the work for nodes that are gone', { error }),
      )
      .finally(() => (this.#work = undefined));
  }

  /** Ignores all later rows. Resolves when the running work has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#work;
  }

  async #handle(rows: readonly NodeRow[]): Promise<void> {
    const { store, log, lease } = this.parts;
    const unsettled: { row: NodeRow; seen: LastHeartbeat }[] = [];
    for (const row of rows) {
      if (this.#closed) return;
      if (isLosable(row) && row.code !== lease.incarnation.code && this.#mayDeclare) {
        const seen = await store.declareLost(row);
        if (!seen) continue;
        log.warn('a node is lost', { node: row.name, code: row.code, seconds: Math.round(row.age / 1000) });
        unsettled.push({ row, seen });
      } else if (isGone(row) && row.unsettled && this.#isOverdue(row)) {
        unsettled.push({ row, seen: row.unsettled });
      }
    }
    // Starts this loop only after all declarations. A lost node may have many records, or the database may
    // refuse a record, and this must not delay the declarations.
    for (const { row, seen } of unsettled) {
      if (this.#closed) return;
      await this.#settle(row, seen).catch((error: unknown) =>
        log.warn(`could not end the sessions of ${kindOf(row)}`, { node: row.name, error }),
      );
    }
  }

  get #mayDeclare(): boolean {
    const { lease, clock } = this.parts;
    if (lease.connectedFor < STEADY_MS) return false;
    return this.#manySince === undefined || clock.now() - this.#manySince >= MANY_LATE_MS;
  }

  /**
   * Marks the session records of an incarnation that is lost or has left as ended, with the time of the last
   * heartbeat. After a failure, any node tries again at a later read. If the database refuses a record, the
   * others are marked nevertheless.
   */
  async #settle(row: NodeRow, seen: LastHeartbeat): Promise<void> {
    const { records, onEnded, store, log } = this.parts;
    const { code, epoch, name } = row;
    const incarnation = { code, epoch };
    const orphans = await records.unfinishedOf(code);
    this.#uncertain.compare(incarnation, orphans);
    const refusals: DatabaseError[] = [];
    for (const orphan of orphans) {
      const record = endedByKill(orphan, seen);
      try {
        const isFirst = await records.saveFor(incarnation, record);
        if (isFirst) onEnded?.(record);
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error;
        if (error.problem !== 'refused') {
          this.#uncertain.add(incarnation, record);
          throw error;
        }
        refusals.push(error);
      }
    }
    if (refusals[0]) throw refusals[0];
    await store.settled(incarnation);
    this.#unsettled.delete(code);
    if (orphans.length > 0)
      log.warn(`ended the sessions of ${kindOf(row)}`, { node: name, sessions: orphans.length });
  }

  #countLate(rows: readonly NodeRow[]): void {
    const late = rows.filter(isLate).length;
    const alive = rows.filter(({ state }) => state === 'alive').length;
    if (late < 2 || late * 2 < alive) this.#manySince = undefined;
    else this.#manySince ??= this.parts.clock.now();
  }

  #noteUnsettled(rows: readonly NodeRow[]): void {
    const now = this.parts.clock.now();
    const codes = new Set(rows.filter((row) => isGone(row) && row.unsettled).map(({ code }) => code));
    for (const code of this.#unsettled.keys()) if (!codes.has(code)) this.#unsettled.delete(code);
    for (const code of codes) if (!this.#unsettled.has(code)) this.#unsettled.set(code, now);
  }

  #isOverdue({ code }: NodeRow): boolean {
    const since = this.#unsettled.get(code);
    return since !== undefined && this.parts.clock.now() - since >= SETTLE_MS;
  }
}

/** True if a node is lost or has left. */
function isGone({ state }: NodeRow): boolean {
  return state !== 'alive';
}

/** Describes a node for the log. A node that was just declared lost has its earlier state in its row. */
function kindOf({ state }: NodeRow): string {
  return state === 'left' ? 'a node that left' : 'a lost node';
}
