import { mkdir, readdir, readFile, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isTemporary, writeFileAtomic } from '../platform/atomic-file.js';
import type { Log } from '../platform/log.js';
import type { Registry, SignOfLife } from '../sessions/ports.js';
import type { SessionRecord } from '../sessions/session-record.js';
import { DEFAULT_SETTINGS } from '../sessions/settings/session-settings.js';
import type { Usage } from '../sessions/usage.js';
import { UsageLedger } from './usage-ledger.js';

interface Opened {
  directory: string;
  alivePath: string;
  records: Map<string, SessionRecord>;
  ledger: UsageLedger;
  lastAlive: SignOfLife | undefined;
}

/** Records in memory, each mirrored by one JSON file that is replaced atomically. For one process. */
export class FileRegistry implements Registry {
  readonly #records: Map<string, SessionRecord>;
  /** The last write of each session that has one under way. */
  readonly #writes = new Map<string, Promise<void>>();

  private constructor(private readonly opened: Opened) {
    this.#records = opened.records;
  }

  /** Reads what is there. A file that holds no record is reported, left alone and not served. */
  static async open(stateDir: string, log: Log): Promise<FileRegistry> {
    const directory = join(stateDir, 'sessions');
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const ledger = await UsageLedger.open(join(stateDir, 'usage.json'));
    const retiring = new Set(ledger.retiring.map((id) => `${id}.json`));
    const records = new Map<string, SessionRecord>();
    for (const name of await readdir(directory)) {
      const path = join(directory, name);
      if (isTemporary(name) || retiring.has(name)) {
        await unlink(path);
        continue;
      }
      const record = parse(await readFile(path, 'utf8'));
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

  async finished(): Promise<SessionRecord[]> {
    return [...this.#records.values()].filter((record) => record.ended);
  }

  async save(record: SessionRecord): Promise<void> {
    const isNew = !this.#records.has(record.id);
    this.#records.set(record.id, record);
    const before = this.#writes.get(record.id) ?? Promise.resolve();
    const write = before
      .catch(() => undefined)
      .then(() => writeFileAtomic(this.#path(record.id), JSON.stringify(record)));
    this.#writes.set(record.id, write);
    try {
      await write;
    } catch (error) {
      // Nobody was told of it. What was known before is kept in mind as it is now.
      if (isNew && this.#records.get(record.id) === record) this.#records.delete(record.id);
      throw error;
    } finally {
      if (this.#writes.get(record.id) === write) this.#writes.delete(record.id);
    }
  }

  async retire(records: readonly SessionRecord[]): Promise<void> {
    const settled = records.filter(
      ({ id, ended }) => ended && this.#records.has(id) && !this.#writes.has(id),
    );
    if (settled.length === 0) return;
    await this.opened.ledger.count(settled);
    for (const { id } of settled) {
      this.#records.delete(id);
      await rm(this.#path(id), { force: true });
    }
    await this.opened.ledger.removed();
  }

  async retiredUsage(): Promise<Usage> {
    return this.opened.ledger.usage;
  }

  async markAlive({ date, moment }: SignOfLife): Promise<void> {
    const lines = [date.toISOString(), ...(moment ? [moment.run, moment.at] : [])];
    await writeFileAtomic(this.opened.alivePath, `${lines.join('\n')}\n`);
  }

  lastAlive(): SignOfLife | undefined {
    return this.opened.lastAlive;
  }

  #path(sessionId: string): string {
    return join(this.opened.directory, `${sessionId}.json`);
  }
}

/**
 * The files are ours, so the shape is trusted once the marks of a record are there. Settings that an older version did not
 * know have their defaults.
 */
function parse(text: string): SessionRecord | undefined {
  try {
    const value = JSON.parse(text) as Partial<SessionRecord> | null;
    const complete =
      typeof value?.id === 'string' && typeof value.generation === 'number' && !!value.settings;
    if (!complete) return undefined;
    const record = value as SessionRecord;
    return { ...record, settings: { ...DEFAULT_SETTINGS, ...record.settings } };
  } catch {
    return undefined;
  }
}

/** A line with the date, and two with the moment; a file without these has the date alone. */
async function readSign(path: string): Promise<SignOfLife | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const [day = '', run, at] = text.trim().split('\n');
  const date = new Date(day);
  if (Number.isNaN(date.getTime())) return undefined;
  return run === undefined || at === undefined ? { date } : { date, moment: { run, at: Number(at) } };
}
