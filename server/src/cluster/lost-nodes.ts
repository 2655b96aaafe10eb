import type { Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import type { SignOfLife } from '../sessions/ports.js';
import { endedByKill } from '../sessions/recovery.js';
import type { SessionRecord } from '../sessions/session-record.js';
import { isLate, isLosable } from './known-nodes.js';
import type { Lease } from './lease.js';
import type { NodeLife, NodeRow, NodeStore } from './node-store.js';

/** For how long a node's own renewals must have gone well before it declares others lost. */
export const STEADY_MS = 60_000;
/** For how long nobody is declared lost while half of the nodes or more are late. */
export const MANY_LATE_MS = 600_000;
/** Who has declared a node lost has so long to end its sessions in the records before others do that. */
const SETTLE_MS = 10_000;

/** Records of sessions of all nodes, as an adapter of `Registry` has them. */
export interface RecordsOfNodes {
  /** Records of sessions of a node that have not ended. */
  unfinishedOf(node: string): Promise<SessionRecord[]>;
  /** Saves the record of a session whose node was lost, for that life of it. Rejects when the node is back. */
  saveFor(life: NodeLife, record: SessionRecord): Promise<void>;
}

/** What {@link LostNodes} needs. */
export interface LostNodesParts {
  store: Pick<NodeStore, 'declareLost' | 'settled'>;
  lease: Pick<Lease, 'life' | 'steadyFor'>;
  records: RecordsOfNodes;
  clock: Clock;
  log: Log;
}

/**
 * Declares nodes lost whose leases have run out, and ends their sessions in the records. A database that stands still looks like the death of all nodes at
 * once, so none is declared lost by one who was cut off itself within the last minute, nor while half of the nodes or more are late;
 * when they are for ten minutes, they are dead indeed. A single late node is no sign of a database that fails, however few
 * there are: whoever declares it lost reaches the database.
 */
export class LostNodes {
  /** Since when half of the nodes are late. */
  #manySince: number | undefined;
  /** When lost nodes were first seen whose sessions are not ended in the records. */
  readonly #unsettled = new Map<string, number>();
  #work: Promise<void> | undefined;
  #closed = false;

  constructor(private readonly parts: LostNodesParts) {}

  /** All nodes were looked at. */
  onLook(rows: readonly NodeRow[]): void {
    this.#countLate(rows);
    this.#noteUnsettled(rows);
    if (this.#work || this.#closed) return;
    this.#work = this.#handle(rows)
      .catch((error: unknown) =>
        this.parts.log.warn('what is left of lost nodes is still to be done', { error }),
      )
      .finally(() => (this.#work = undefined));
  }

  /** Resolves when nothing of it is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#work;
  }

  async #handle(rows: readonly NodeRow[]): Promise<void> {
    const { store, log, lease } = this.parts;
    for (const row of rows) {
      if (this.#closed) return;
      if (isLosable(row) && row.code !== lease.life.code && this.#mayDeclare) {
        const seen = await store.declareLost(row);
        if (!seen) continue;
        log.warn('a node is lost', { node: row.name, code: row.code, seconds: Math.round(row.age / 1000) });
        await this.#settle(row, seen);
      } else if (row.state === 'lost' && row.unsettled && this.#isOverdue(row)) {
        await this.#settle(row, row.unsettled);
      }
    }
  }

  get #mayDeclare(): boolean {
    const { lease, clock } = this.parts;
    if (lease.steadyFor < STEADY_MS) return false;
    return this.#manySince === undefined || clock.now() - this.#manySince >= MANY_LATE_MS;
  }

  /** Ends the sessions of a lost life in the records, at its last sign of life. What fails is done again at a later look, by anybody. */
  async #settle({ code, epoch, name }: NodeRow, seen: SignOfLife): Promise<void> {
    const { records, store, log } = this.parts;
    const life = { code, epoch };
    const orphans = await records.unfinishedOf(code);
    for (const record of orphans) await records.saveFor(life, endedByKill(record, seen));
    await store.settled(life);
    this.#unsettled.delete(code);
    if (orphans.length > 0)
      log.warn('ended the sessions of a lost node', { node: name, sessions: orphans.length });
  }

  #countLate(rows: readonly NodeRow[]): void {
    const late = rows.filter(isLate).length;
    const alive = rows.filter(({ state }) => state === 'alive').length;
    if (late < 2 || late * 2 < alive) this.#manySince = undefined;
    else this.#manySince ??= this.parts.clock.now();
  }

  #noteUnsettled(rows: readonly NodeRow[]): void {
    const now = this.parts.clock.now();
    const codes = new Set(
      rows.filter(({ state, unsettled }) => state === 'lost' && unsettled).map(({ code }) => code),
    );
    for (const code of this.#unsettled.keys()) if (!codes.has(code)) this.#unsettled.delete(code);
    for (const code of codes) if (!this.#unsettled.has(code)) this.#unsettled.set(code, now);
  }

  #isOverdue({ code }: NodeRow): boolean {
    const since = this.#unsettled.get(code);
    return since !== undefined && this.parts.clock.now() - since >= SETTLE_MS;
  }
}
