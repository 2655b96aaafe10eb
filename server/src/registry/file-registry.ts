import { readdir, readFile, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isTemporary, writeFileAtomic } from '../platform/files/atomic-file.js';
import { makeDirectory } from '../platform/files/make-directory.js';
import type { Log } from '../platform/log.js';
import type { Registry, LastHeartbeat } from '../sessions/ports.js';
import { positionOf } from '../sessions/records/session-list.js';
import { secondsOf, type SessionRecord } from '../sessions/records/session-record.js';
import { monthsOf, sumUsage, usageOf, type Months } from '../sessions/records/usage.js';
import { readRecord } from './read-record.js';
import { UsageLedger } from './usage-ledger.js';

interface OpenFiles {
  directory: string;
  alivePath: string;
  records: Map<string, SessionRecord>;
  ledger: UsageLedger;
  lastAlive: LastHeartbeat | undefined;
}

/**
 * Keeps records in memory, and each record also in a JSON file that is replaced atomically. Only one process
 * may use the files.
 */
export class FileRegistry implements Registry {
  readonly #records: Map<string, SessionRecord>;
  /** The newest write of each session, until this write has ended. */
  readonly #writes = new Map<string, Promise<void>>();

  private constructor(private readonly opened: OpenFiles) {
    this.#records = opened.records;
  }

  /**
   * Reads the existing records. Removes temporary files, which interrupted writes have left. Removes the
   * files of retired records, because their usage is already in the ledger. If any other file is not a
   * record, logs a warning and ignores the file.
   */
  static async open(stateDir: string, log: Log): Promise<FileRegistry> {
    const directory = join(stateDir, 'sessions');
    await makeDirectory(directory);
    const ledger = await UsageLedger.open(join(stateDir, 'usage.json'));
    const retiring = new Set(ledger.retiring.map((id) => `${id}.json`));
    const records = new Map<string, SessionRecord>();
    for (const name of await readdir(directory)) {
      const path = join(directory, name);
      if (isTemporary(name) || retiring.has(name)) {
        await unlink(path);
        continue;
      }
      const record = readRecord(await readFile(path, 'utf8'));
      if (record) records.set(record.id, record);
      else log.warn('a file in the registry is not a session record', { path });
    }
    const alivePath = join(stateDir, 'alive');
    return new FileRegistry({ directory, alivePath, records, ledger, lastAlive: await readSign(alivePath) });
  }

  async get(sessionId: string): Promise<SessionRecord | undefined> {
    return this.#records.get(sessionId);
  }

  async unfinished(): Promise<SessionRecord[]> {
    return [...this.#records.values()].filter((record) => !record.ended);
  }

  async running(after: SessionRecord | undefined, limit: number): Promise<SessionRecord[]> {
    const start = after && positionOf(after);
    return [...this.#records.values()]
      .filter((record) => !record.ended && (start === undefined || positionOf(record) > start))
      .sort((a, b) => (positionOf(a) < positionOf(b) ? -1 : 1))
      .slice(0, limit);
  }

  async save(record: SessionRecord, after?: Promise<void>): Promise<void> {
    const isNew = !this.#records.has(record.id);
    this.#records.set(record.id, record);
    const before = this.#writes.get(record.id) ?? Promise.resolve();
    const write = before
      .catch(() => undefined)
      .then(() => after)
      .then(() => writeFileAtomic(this.#path(record.id), JSON.stringify(record)));
    this.#writes.set(record.id, write);
    try {
      await write;
    } catch (error) {
      // If the first save of a session fails, no caller receives the session. So its record leaves memory. If
      // a later save fails, the new record stays in memory.
      if (isNew && this.#records.get(record.id) === record) this.#records.delete(record.id);
      throw error;
    } finally {
      if (this.#writes.get(record.id) === write) this.#writes.delete(record.id);
    }
  }

  async retire(endedBefore: Date, limit: number): Promise<number> {
    const settled = [...this.#records.values()]
      .filter(
        ({ id, ended }) => ended && Date.parse(ended.at) < endedBefore.getTime() && !this.#writes.has(id),
      )
      .slice(0, limit);
    if (settled.length === 0) return 0;
    await this.opened.ledger.count(settled);
    // From here on, the ledger contains the usage of these records. So they leave memory even if a file
    // cannot be removed. The next start removes such a file.
    for (const { id } of settled) this.#records.delete(id);
    for (const { id } of settled) await rm(this.#path(id), { force: true });
    return settled.length;
  }

  async usage(tenantId: string | undefined): Promise<Months> {
    const ended = [...this.#records.values()].filter((record) => record.ended);
    const uses = ended.map((record) => ({ record, seconds: secondsOf(record) }));
    return monthsOf(sumUsage(this.opened.ledger.usage, usageOf(uses)), tenantId);
  }

  async markAlive({ date, moment }: LastHeartbeat): Promise<void> {
    const lines = [date.toISOString(), ...(moment ? [moment.run, moment.at] : [])];
    await writeFileAtomic(this.opened.alivePath, `${lines.join('\n')}\n`);
  }

  lastAlive(): LastHeartbeat | undefined {
    return this.opened.lastAlive;
  }

  #path(sessionId: string): string {
    return join(this.opened.directory, `${sessionId}.json`);
  }
}

/**
 * Reads the last heartbeat from a file. Line 1 is the date. Lines 2 and 3 are the `run` and the `at` of the
 * moment. A file of an older version has only the date.
 */
async function readSign(path: string): Promise<LastHeartbeat | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const [day = '', run, at] = text.trim().split('\n');
  const date = new Date(day);
  if (Number.isNaN(date.getTime())) return undefined;
  return run === undefined || at === undefined ? { date } : { date, moment: { run, at: Number(at) } };
}
