import type { Log } from '../../platform/log.js';
import { CautiousDate } from '../../platform/time/cautious-date.js';
import type { Clock } from '../../platform/time/clock.js';
import { repeat, type Repetition } from '../../platform/time/repeat.js';
import type { RecordingFiles, RecordingIndex } from './recording-ports.js';
import type { RecordingRecord } from './recording-record.js';

const DAY_MS = 86_400_000;
/** Interval of the removal of old recordings. */
const INTERVAL_MS = 3_600_000;
/** Number of recordings that are read from the index at a time. */
const BATCH = 100;

/** Dependencies of {@link RecordingRetirement}. */
export interface RecordingRetirementParts {
  index: Pick<RecordingIndex, 'endedBefore' | 'removedElsewhere' | 'forgetRemoved'>;
  files: Pick<RecordingFiles, 'remove'>;
  clock: Clock;
  log: Log;
  /** Days for which a recording is kept. */
  days: number;
  /** Removes a recording with its files. */
  remove: (record: RecordingRecord) => Promise<void>;
  /** Returns true if this process records or completes a recording. */
  isOwn: (id: string) => boolean;
}

/**
 * Removes recordings that ended more than {@link RecordingRetirementParts.days} days ago. Also removes the
 * files of recordings that other nodes removed while this node was away.
 */
export class RecordingRetirement {
  #repetition: Repetition | undefined;
  #stopped = false;
  readonly #calendar: CautiousDate;

  constructor(private readonly parts: RecordingRetirementParts) {
    this.#calendar = new CautiousDate(parts.clock);
  }

  /** Removes old recordings now and every hour. */
  start(): void {
    this.#repetition = repeat(this.parts.clock, { every: INTERVAL_MS, first: 0 }, () => this.run());
  }

  stop(): void {
    this.#stopped = true;
    this.#repetition?.stop();
  }

  /**
   * Removes old recordings now, and the remaining files of recordings that other nodes removed. Ends early
   * after {@link stop}.
   */
  async run(): Promise<void> {
    await this.#removeOld();
    // Last, because a store that does not answer would delay the other removals.
    await this.#removeLeft();
  }

  async #removeOld(): Promise<void> {
    const { index, days, log, remove } = this.parts;
    const oldest = new Date(this.#calendar.date().getTime() - days * DAY_MS);
    const onError = (error: unknown) => log.error('could not remove old recordings', { error });
    const tried = new Set<string>();
    // Number of recordings that could not be removed. The index returns them again, so each read is larger by
    // this number and also returns other recordings.
    let failed = 0;
    for (;;) {
      const found = (await index.endedBefore(oldest, BATCH + failed).catch(onError)) ?? [];
      const old = found.filter(({ id }) => !tried.has(id));
      if (old.length === 0) return;
      for (const record of old) {
        if (this.#stopped) return;
        tried.add(record.id);
        await remove(record).catch((error: unknown) => {
          failed += 1;
          onError(error);
        });
      }
    }
  }

  /**
   * Removes files of recordings that other nodes removed. Those nodes cannot reach the files on this machine.
   */
  async #removeLeft(): Promise<void> {
    const { index, files, log, isOwn } = this.parts;
    const onError = (error: unknown) => log.error('could not remove files of removed recordings', { error });
    for (const id of (await index.removedElsewhere().catch(onError)) ?? []) {
      if (this.#stopped) return;
      // This process may still add files to the recording. A later run removes all files of the recording.
      if (isOwn(id)) continue;
      await files
        .remove(id)
        .then(() => index.forgetRemoved(id))
        .catch(onError);
    }
  }
}
