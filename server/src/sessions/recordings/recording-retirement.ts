import type { Log } from '../../platform/log.js';
import type { Clock } from '../../platform/time/clock.js';
import { repeat, type Repetition } from '../../platform/time/repeat.js';
import type { RecordingIndex } from './recording-ports.js';
import type { RecordingRecord } from './recording-record.js';

const DAY_MS = 86_400_000;
/** Interval of the removal of old recordings. */
const INTERVAL_MS = 3_600_000;
/** Maximum number of recordings that one run removes. */
const BATCH = 100;

/** Dependencies of {@link RecordingRetirement}. */
export interface RecordingRetirementParts {
  index: Pick<RecordingIndex, 'endedBefore'>;
  clock: Clock;
  log: Log;
  /** Days for which a recording is kept. */
  days: number;
  /** Removes a recording with its files. */
  remove: (record: RecordingRecord) => Promise<void>;
}

/** Removes recordings that ended more than {@link RecordingRetirementParts.days} days ago. */
export class RecordingRetirement {
  #repetition: Repetition | undefined;

  constructor(private readonly parts: RecordingRetirementParts) {}

  /** Removes old recordings now and every hour. */
  start(): void {
    this.#repetition = repeat(this.parts.clock, { every: INTERVAL_MS, first: 0 }, () => this.run());
  }

  stop(): void {
    this.#repetition?.stop();
  }

  /** Removes old recordings now. */
  async run(): Promise<void> {
    const { index, clock, days, log, remove } = this.parts;
    const oldest = new Date(clock.date().getTime() - days * DAY_MS);
    const onError = (error: unknown) => log.error('could not remove old recordings', { error });
    const old = await index.endedBefore(oldest, BATCH).catch(onError);
    // A recording that cannot be removed does not prevent the removal of the others.
    for (const record of old ?? []) await remove(record).catch(onError);
  }
}
