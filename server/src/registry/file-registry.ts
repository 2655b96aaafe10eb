import { mkdir, readdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isTemporary, writeFileAtomic } from '../platform/atomic-file.js';
import type { Log } from '../platform/log.js';
import type { Registry } from '../sessions/ports.js';
import type { SessionRecord } from '../sessions/session-record.js';

/** Records in memory, each mirrored by one JSON file that is replaced atomically. For one process. */
export class FileRegistry implements Registry {
  readonly #directory: string;
  readonly #records: Map<string, SessionRecord>;
  /** The last write of each session that has one under way. */
  readonly #writes = new Map<string, Promise<void>>();

  private constructor(directory: string, records: Map<string, SessionRecord>) {
    this.#directory = directory;
    this.#records = records;
  }

  /** Reads what is there. A file that holds no record is reported, left alone and not served. */
  static async open(stateDir: string, log: Log): Promise<FileRegistry> {
    const directory = join(stateDir, 'sessions');
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const records = new Map<string, SessionRecord>();
    for (const name of await readdir(directory)) {
      const path = join(directory, name);
      if (isTemporary(name)) {
        await unlink(path);
        continue;
      }
      const record = parse(await readFile(path, 'utf8'));
      if (record) records.set(record.id, record);
      else log.warn('a file in the registry is not a session record', { path });
    }
    return new FileRegistry(directory, records);
  }

  get(sessionId: string): Promise<SessionRecord | undefined> {
    return Promise.resolve(this.#records.get(sessionId));
  }

  unfinished(): Promise<SessionRecord[]> {
    return Promise.resolve([...this.#records.values()].filter((record) => !record.ended));
  }

  async save(record: SessionRecord): Promise<void> {
    this.#records.set(record.id, record);
    const before = this.#writes.get(record.id) ?? Promise.resolve();
    const write = before
      .catch(() => undefined)
      .then(() => writeFileAtomic(join(this.#directory, `${record.id}.json`), JSON.stringify(record)));
    this.#writes.set(record.id, write);
    try {
      await write;
    } finally {
      if (this.#writes.get(record.id) === write) this.#writes.delete(record.id);
    }
  }
}

/** The files are ours, so the shape is trusted once the marks of a record are there. */
function parse(text: string): SessionRecord | undefined {
  try {
    const value = JSON.parse(text) as Partial<SessionRecord> | null;
    const complete =
      typeof value?.id === 'string' && typeof value.generation === 'number' && !!value.settings;
    return complete ? (value as SessionRecord) : undefined;
  } catch {
    return undefined;
  }
}
