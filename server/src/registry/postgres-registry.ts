import type { Database } from '../database/database.js';
import type { Registry, SignOfLife } from '../sessions/ports.js';
import { secondsOf, type SessionRecord } from '../sessions/session-record.js';
import { SupersededError } from '../sessions/superseded-error.js';
import { monthsOf, sumMonths, usageOf, type Months } from '../sessions/usage.js';
import { readRecord } from './read-record.js';
import { GET, RETIRE, RUNNING, SAVE, UNFINISHED, USAGE } from './record-statements.js';

/** One life of a node: a later one has a higher epoch. */
export interface Life {
  /** Six hexadecimal digits. */
  code: string;
  epoch: number;
}

/** What a {@link PostgresRegistry} is made of. */
export interface PostgresRegistryParts {
  database: Database;
  /** The code of this node, with which the ids of its sessions begin. */
  node: string;
  /** The epoch of this node at the moment. */
  epoch: () => number;
  /** When this node was last seen in its former life. */
  lastAlive?: SignOfLife | undefined;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Behind all writes of the life that it belongs to. */
const LAST_VERSION = Number.MAX_SAFE_INTEGER;
const CONTACT = { name: 'record_contact', text: 'select 1 as one' };

/**
 * Records in a database, for all nodes together. What was not saved yet is read and counted from memory, so that a session which ended while the
 * database was away does not seem to run.
 */
export class PostgresRegistry implements Registry {
  /** The newest state of ended sessions that the database does not have. */
  readonly #unsaved = new Map<string, SessionRecord>();
  /** The last write of each session that has one under way. */
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

  /** Records of sessions of a node that have not ended, as far as is known. */
  async unfinishedOf(node: string): Promise<SessionRecord[]> {
    return this.#read(await this.parts.database.rows(UNFINISHED, [node]));
  }

  async running(after: SessionRecord | undefined, limit: number): Promise<SessionRecord[]> {
    const { createdAt, id } = after ?? { createdAt: '-infinity', id: FIRST_ID };
    return this.#read(await this.parts.database.rows(RUNNING, [createdAt, id, limit]));
  }

  save(record: SessionRecord): Promise<void> {
    const version = (this.#version += 1);
    const before = this.#writes.get(record.id) ?? Promise.resolve();
    if (record.ended) this.#unsaved.set(record.id, record);
    // The epoch of the moment at which it is written: a node that was lost goes on with a new one.
    const life = () => ({ code: this.parts.node, epoch: this.parts.epoch() });
    const write = before.catch(() => undefined).then(() => this.#write(record, life(), version));
    this.#writes.set(record.id, write);
    return write.finally(() => {
      if (this.#writes.get(record.id) === write) this.#writes.delete(record.id);
    });
  }

  /** Saves the record of a session whose node was lost, for that life of it. Rejects with {@link SupersededError} when it is back. */
  saveFor(life: Life, record: SessionRecord): Promise<void> {
    return this.#write(record, life, LAST_VERSION);
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

  /** Only says whether the database is there: the node's lease, which is renewed more often, is its sign of life. */
  async markAlive(): Promise<void> {
    await this.parts.database.rows(CONTACT);
  }

  lastAlive(): SignOfLife | undefined {
    return this.parts.lastAlive;
  }

  async #write(record: SessionRecord, { code, epoch }: Life, version: number): Promise<void> {
    const { id, createdAt, ended, settings } = record;
    const used = ended ? usageOf([{ record, seconds: secondsOf(record) }]) : new Map<string, Months>();
    const months = [...monthsOf(used, undefined)];
    const [row] = await this.parts.database.rows<{ superseded: boolean }>(SAVE, [
      ...[id, code, epoch, version, createdAt, ended?.at ?? null, columnText(settings.tenantId ?? '')],
      months.map(([month]) => `${month}-01`),
      months.map(([, seconds]) => Math.round(seconds * 1e6)),
      JSON.stringify(record),
    ]);
    // Whatever came meanwhile of this session is still to be written.
    if (this.#unsaved.get(id) === record) this.#unsaved.delete(id);
    if (row?.superseded) throw new SupersededError(id);
  }

  #read(rows: readonly { record?: string }[]): SessionRecord[] {
    return rows.flatMap(({ record = '' }) => readRecord(record) ?? []);
  }
}

/** A column of text has no place for the character 0. */
function columnText(text: string): string {
  return text.replaceAll('\0', '\ufffd');
}
