import type { Log } from '../../../platform/log.js';
import { RecordedUsers } from '../recorded-users.js';
import type { RecordingFiles, RecordingIndex } from '../recording-ports.js';
import type { RecordingRecord } from '../recording-record.js';

/** Dependencies of {@link RecordingRecovery}. */
export interface RecordingRecoveryParts {
  index: Pick<RecordingIndex, 'unfinished' | 'save'>;
  files: Pick<RecordingFiles, 'repair' | 'size' | 'read'>;
  log: Log;
  /** Called with each recording that was repaired. */
  onFound: (record: RecordingRecord) => void;
  /** Completes a recording whose files cannot be read now. Calls `repair` first, until it succeeds. */
  completeLater: (record: RecordingRecord, repair: () => Promise<RecordingRecord>) => void;
}

/**
 * Repairs the recordings that an earlier process left unfinished, because it was killed or its store did not
 * answer.
 */
export class RecordingRecovery {
  constructor(private readonly parts: RecordingRecoveryParts) {}

  /** Resolves to the recordings that were repaired. They are not complete yet. */
  async run(): Promise<RecordingRecord[]> {
    const { index, log, completeLater } = this.parts;
    const found: RecordingRecord[] = [];
    for (const record of await index.unfinished()) {
      try {
        found.push(await this.#repair(record));
      } catch (error) {
        // The files of the recording may be in a store that does not answer.
        log.error('could not read an unfinished recording', { recording: record.id, error });
        completeLater(record, () => this.#repair(record));
      }
    }
    return found;
  }

  /**
   * Repairs the files of a recording, and stores its entry in the index. A recording that had already ended
   * keeps the reason of its end.
   */
  async #repair(record: RecordingRecord): Promise<RecordingRecord> {
    const { index, files, log, onFound } = this.parts;
    const { id, startedAt } = record;
    const size = await files.repair(id);
    const events = (await files.size(id, 'events')) ?? 0;
    const users = await RecordedUsers.in(files.read(id, 'events', 0, events - 1));
    const endedAt = record.endedAt ?? new Date(Date.parse(startedAt) + size.seconds * 1000).toISOString();
    const end = record.end ?? 'interrupted';
    const written: RecordingRecord = { ...record, ...size, users, state: 'finalizing', endedAt, end };
    await index.save(written);
    onFound(written);
    log.warn('repaired an unfinished recording', { recording: id, seconds: written.seconds });
    return written;
  }
}
