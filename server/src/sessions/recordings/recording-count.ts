import type { Log } from '../../platform/log.js';
import type { Clock } from '../../platform/time/clock.js';
import { repeat, type Repetition } from '../../platform/time/repeat.js';
import type { RecordingIndex } from './recording-ports.js';
import type { RecordingRecord } from './recording-record.js';
import type { RecordingRoom } from './recording-room.js';

/** Interval of the reads in milliseconds. */
export const COUNT_MS = 60_000;

/** Dependencies of {@link RecordingCount}. */
export interface RecordingCountParts {
  index: Pick<RecordingIndex, 'bytes'>;
  room: RecordingRoom;
  /** Returns the running recordings of this process. In the index, a running recording has 0 bytes. */
  running: () => Iterable<{ record: RecordingRecord }>;
  clock: Clock;
  log: Log;
}

/**
 * Reads the size of all recordings from the index at an interval, because other nodes also add and remove
 * recordings.
 */
export class RecordingCount {
  #repetition: Repetition | undefined;

  constructor(private readonly parts: RecordingCountParts) {}

  /** Reads the size now, and then regularly. */
  async start(): Promise<void> {
    const { clock, log } = this.parts;
    await this.#read();
    const onError = (error: unknown) => log.warn('could not read the size of all recordings', { error });
    this.#repetition = repeat(clock, { every: COUNT_MS, onError }, () => this.#read());
  }

  stop(): void {
    this.#repetition?.stop();
  }

  async #read(): Promise<void> {
    const { index, room, running } = this.parts;
    const runs = new Set(running());
    // Excludes the running recordings, which are counted in memory. The end of a recording may be saved while
    // the index is read, so the index could contain its old size or its new size.
    const stored = await index.bytes([...runs].map(({ record }) => record.id));
    for (const started of running()) runs.add(started);
    room.bytes = [...runs].reduce((sum, { record }) => sum + record.bytes, stored);
  }
}
