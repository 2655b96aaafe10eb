import { readdir, readFile, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isTemporary, writeFileAtomic } from '../../platform/files/atomic-file.js';
import { makeDirectory } from '../../platform/files/make-directory.js';
import type { Log } from '../../platform/log.js';
import type { RecordingIndex } from '../../sessions/recordings/recording-ports.js';
import {
  recordingOrder,
  selects,
  type RecordingQuery,
  type RecordingRecord,
} from '../../sessions/recordings/recording-record.js';
import { readRecordingRecord } from './read-recording-record.js';

/**
 * Index of recordings in memory, with one JSON file for each recording. Only one process may use the files.
 */
export class FileRecordingIndex implements RecordingIndex {
  private constructor(
    private readonly directory: string,
    private readonly records: Map<string, RecordingRecord>,
  ) {}

  /** Reads the existing entries. If a file is not an entry, logs a warning and ignores the file. */
  static async open(root: string, log: Log): Promise<FileRecordingIndex> {
    const directory = join(root, 'index');
    await makeDirectory(directory);
    const records = new Map<string, RecordingRecord>();
    for (const name of await readdir(directory)) {
      const path = join(directory, name);
      if (isTemporary(name)) {
        await unlink(path);
        continue;
      }
      const record = readRecordingRecord(await readFile(path, 'utf8'));
      if (record) records.set(record.id, record);
      else log.warn('a file in the index of recordings is not an entry', { path });
    }
    return new FileRecordingIndex(directory, records);
  }

  async get(id: string): Promise<RecordingRecord | undefined> {
    return this.records.get(id);
  }

  async save(record: RecordingRecord): Promise<void> {
    await writeFileAtomic(this.#path(record.id), JSON.stringify(record));
    this.records.set(record.id, record);
  }

  async remove(id: string): Promise<void> {
    // Removes the file first. If that fails, the entry stays, so that the removal can be repeated.
    await rm(this.#path(id), { force: true });
    this.records.delete(id);
  }

  async removedElsewhere(): Promise<string[]> {
    // Only this process removes recordings.
    return [];
  }

  async forgetRemoved(): Promise<void> {
    // There is nothing to forget, see `removedElsewhere`.
  }

  async unfinished(): Promise<RecordingRecord[]> {
    return this.#sorted.filter(({ state }) => state === 'recording' || state === 'finalizing');
  }

  async isAbandoned(): Promise<boolean> {
    // This process completes all recordings.
    return false;
  }

  async page(
    query: RecordingQuery,
    after: RecordingRecord | undefined,
    limit: number,
  ): Promise<RecordingRecord[]> {
    return this.#sorted
      .filter((record) => selects(query, record) && (!after || recordingOrder(after, record) < 0))
      .slice(0, limit);
  }

  async endedBefore(date: Date, limit: number): Promise<RecordingRecord[]> {
    return this.#sorted
      .reverse()
      .filter(({ state }) => state === 'ready' || state === 'failed')
      .filter(({ endedAt }) => endedAt !== null && Date.parse(endedAt) < date.getTime())
      .slice(0, limit);
  }

  async bytes(except: readonly string[] = []): Promise<number> {
    const counted = this.#sorted.filter(({ id }) => !except.includes(id));
    return counted.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get #sorted(): RecordingRecord[] {
    return [...this.records.values()].sort(recordingOrder);
  }

  #path(id: string): string {
    return join(this.directory, `${id}.json`);
  }
}
