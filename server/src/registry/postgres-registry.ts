import { randomUUID } from 'node:crypto';
import type { Database } from '../database/database.js';
import { DatabaseError } from '../database/database-error.js';
import type { Registry, LastHeartbeat } from '../sessions/ports.js';
import { secondsOf, type SessionRecord } from '../sessions/records/session-record.js';
import { SupersededError } from '../sessions/creation/superseded-error.js';
import { monthsOf, sumMonths, usageOf, type Months } from '../sessions/records/usage.js';
import { readRecord } from './read-record.js';
import { ATTEMPT, GET, LIFE, RETIRE, RUNNING, SAVE, UNFINISHED, USAGE } from './record-statements.js';

/**
 * One incarnation of a node (a service of the cluster). A node begins a new incarnation when its process
 * starts, or when it returns after it was declared lost. Each new incarnation has a higher epoch.
 */
export interface NodeEpoch {
  /** Six hexadecimal digits. */
  code: string;
  epoch: number;
}

/** Parts of a {@link PostgresRegistry}. */
export interface PostgresRegistryParts {
  database: Database;
  /** The code of this node. The ids of its sessions start with it. */
  node: string;
  /** Returns the current epoch of this node. */
  epoch: () => number;
  /** True if another process has taken over this node, or if this process has left the cluster. */
  isOver: () => boolean;
  /** Last heartbeat of the earlier process of this node. */
  lastAlive?: LastHeartbeat | undefined;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Version that makes a write newer than all other writes of the same epoch. */
const LAST_VERSION = Number.MAX_SAFE_INTEGER;
/** Ends a transaction without a change. */
class NoChange extends Error {}

/** Row that {@link SAVE} returns. */
interface SaveRow {
  superseded: boolean;
  lost: boolean;
  ended_before: boolean;
}

/**
 * Keeps records in a database, for all nodes. Keeps records of ended sessions in memory until they are saved.
 * So a session that ended while the database was unavailable does not appear as running.
 */
export class PostgresRegistry implements Registry {
  /** The newest records of ended sessions that the database has not received yet. */
  readonly #unsaved = new Map<string, SessionRecord>();
  /** The newest write of each session, until this write has ended. */
  readonly #writes = new Map<string, Promise<void>>();
  #version = 0;

  constructor(private readonly parts: PostgresRegistryParts) {}

  async get(sessionId: string): Promise<SessionRecord | undefined> {
    const unsaved = this.#unsaved.get(sessionId);
    if (unsaved) return unsaved;
    if (!UUID.test(sessionId)) return undefined;
    const [record] = this.#read(await this.parts.database.rows(GET, [sessionId]));
    return record;
  }

  async unfinished(): Promise<SessionRecord[]> {
    return this.unfinishedOf(this.parts.node);
  }

  /** Returns the records of a node's sessions that are running according to the database. */
  async unfinishedOf(node: string): Promise<SessionRecord[]> {
    return this.#read(await this.parts.database.rows(UNFINISHED, [node]));
  }

  async running(after: SessionRecord | undefined, limit: number): Promise<SessionRecord[]> {
    const { createdAt, id } = after ?? { createdAt: '-infinity', id: FIRST_ID };
    const ended = [...this.#unsaved.keys()];
    return this.#read(await this.parts.database.rows(RUNNING, [createdAt, id, limit, ended]));
  }

  save(record: SessionRecord, after?: Promise<void>): Promise<void> {
    const version = (this.#version += 1);
    const before = this.#writes.get(record.id) ?? Promise.resolve();
    if (record.ended) this.#unsaved.set(record.id, record);
    // Reads the epoch only when the write begins. The node may have been declared lost in the meantime, and
    // may have returned with a new epoch.
    const life = () => ({ code: this.parts.node, epoch: this.parts.epoch() });
    const write = before
      .catch(() => undefined)
      .then(async () => {
        await after;
        await this.#write(record, life(), version);
      });
    this.#writes.set(record.id, write);
    return write.finally(() => {
      if (this.#writes.get(record.id) === write) this.#writes.delete(record.id);
    });
  }

  /**
   * Saves a record as the newest write of an incarnation, for example of a node that was lost. Resolves to
   * false if the stored record already had an end. Rejects with {@link SupersededError} if the node has a
   * newer incarnation.
   */
  saveFor(life: NodeEpoch, record: SessionRecord): Promise<boolean> {
    return this.#write(record, life, LAST_VERSION);
  }

  async saveTakenOver(record: SessionRecord): Promise<void> {
    const { database, node } = this.parts;
    const [row] = await database.rows<{ epoch: number }>(LIFE, [node]);
    if (!row) throw new SupersededError(record.id);
    await this.saveFor({ code: node, epoch: row.epoch }, record);
  }

  async retire(endedBefore: Date, limit: number): Promise<number> {
    const [row] = await this.parts.database.rows<{ count: number }>(RETIRE, [
      endedBefore.toISOString(),
      limit,
    ]);
    return row?.count ?? 0;
  }

  async usage(tenantId: string | undefined): Promise<Months> {
    const { database, node } = this.parts;
    const tenant = tenantId === undefined ? null : columnText(tenantId);
    const rows = await database.rows<{ month: string; seconds: number }>(USAGE, [tenant, node]);
    const unsaved = [...this.#unsaved.values()].map((record) => ({ record, seconds: secondsOf(record) }));
    return sumMonths(
      new Map(rows.map(({ month, seconds }) => [month, seconds])),
      monthsOf(usageOf(unsaved), tenantId),
    );
  }

  /**
   * Checks that the database accepts new rows, in a transaction that it rolls back. A database can refuse
   * new rows and still accept the updates of leases, for example if a disk quota is exceeded. Stores no
   * heartbeat, because the node already renews its lease in the database.
   */
  async markAlive(): Promise<void> {
    const { database, node } = this.parts;
    const attempt = database.transaction(async (queries) => {
      await queries.rows(ATTEMPT, [randomUUID(), node]);
      throw new NoChange();
    });
    await attempt.catch((error: unknown) => {
      if (!(error instanceof NoChange)) throw error;
    });
  }

  lastAlive(): LastHeartbeat | undefined {
    return this.parts.lastAlive;
  }

  /** Resolves to false if the stored record already had an end. */
  async #write(record: SessionRecord, { code, epoch }: NodeEpoch, version: number): Promise<boolean> {
    const { id, createdAt, ended, settings } = record;
    const used = ended ? usageOf([{ record, seconds: secondsOf(record) }]) : new Map<string, Months>();
    const months = [...monthsOf(used, undefined)];
    const [row] = await this.parts.database.rows<SaveRow>(SAVE, [
      ...[id, code, epoch, version, createdAt, ended?.at ?? null, columnText(settings.tenantId ?? '')],
      months.map(([month]) => `${month}-01`),
      months.map(([, seconds]) => Math.round(seconds * 1e6)),
      ...[JSON.stringify(record), version !== LAST_VERSION],
    ]);
    // Another node ends the records of an epoch that was declared lost, so this write is refused. The caller
    // can repeat it when this node has its next epoch.
    if (row?.lost)
      throw new DatabaseError('refused', 'This node was declared lost, and has not returned yet.');
    // The newer epoch may be this node's own next epoch, which the node learns a moment after the database
    // has stored it. So the caller can repeat this write too.
    if (row?.superseded && version !== LAST_VERSION && !this.parts.isOver())
      throw new DatabaseError('refused', 'This node has a newer epoch, which it does not know yet.');
    // Keeps a newer record of the session in `#unsaved`, because the newer record must still be written.
    if (this.#unsaved.get(id) === record) this.#unsaved.delete(id);
    if (row?.superseded) throw new SupersededError(id);
    return !row?.ended_before;
  }

  #read(rows: readonly { record?: string }[]): SessionRecord[] {
    return rows.flatMap(({ record = '' }) => readRecord(record) ?? []);
  }
}

/** Replaces the character U+0000, which PostgreSQL cannot store in a text column. */
function columnText(text: string): string {
  return text.replaceAll('\0', '\ufffd');
}
