import { ServiceError } from '../../service-error.js';
import type { RecordingRecord } from './recording-record.js';

const MB = 2 ** 20;

/** Limits of a {@link RecordingRoom}. */
export interface RecordingLimits {
  /** Maximum size of all recordings together in MB. */
  maxMb: number;
  /** Maximum size in MB of the recordings that are not in their store yet. */
  maxWaitingMb: number;
}

/** Counts the bytes of recordings, and reports if a limit is reached. */
export class RecordingRoom {
  /** Bytes of all recordings. */
  #bytes = 0;
  /** Bytes of the recordings that are not in their store yet. */
  #waiting = 0;

  /** @param moves true if recordings are moved to a store */
  constructor(
    private readonly limits: RecordingLimits,
    private readonly moves: boolean,
  ) {}

  /** Sets the bytes of all recordings, of all nodes. */
  set bytes(bytes: number) {
    this.#bytes = bytes;
  }

  /** Returns the reason why no recording may grow further, if there is one. */
  get full(): 'quota' | 'storage' | undefined {
    const { maxMb, maxWaitingMb } = this.limits;
    if (this.#bytes >= maxMb * MB) return 'quota';
    return this.moves && this.#waiting >= maxWaitingMb * MB ? 'storage' : undefined;
  }

  /** Throws {@link ServiceError} if there is no room for another recording. */
  require(): void {
    const { full } = this;
    if (full === 'quota') throw new ServiceError('err_recordings_full', this.limits.maxMb);
    if (full === 'storage') throw new ServiceError('err_recording_store', this.limits.maxWaitingMb);
  }

  /**
   * Adds bytes of a recording that is not in its store. `bytes` is negative if the recording has become
   * smaller.
   */
  add(bytes: number): void {
    this.#bytes += bytes;
    this.#waiting += bytes;
  }

  /** Counts a recording of a killed service as waiting. The size of all recordings already includes it. */
  found({ bytes }: RecordingRecord): void {
    this.#waiting += bytes;
  }

  /** Ends the waiting of a recording: its files are in their store, are lost, or stay on this machine. */
  moved({ bytes }: RecordingRecord): void {
    this.#waiting -= bytes;
  }

  /** Handles the removal of a recording. */
  removed({ bytes }: Pick<RecordingRecord, 'bytes'>): void {
    this.#bytes -= bytes;
  }
}
