import type { RecordingEnd, RecordingPart } from '../../recording-protocol.js';
import { RECORDING_ENDS } from '../../recording-protocol.js';
import { LiveSegments } from './live-segments.js';
import { RecordedUsers } from './recorded-users.js';
import type { RecordingSink, RecordingWriter } from './recording-ports.js';
import type { RecordingRecord } from './recording-record.js';

/** Dependencies of a {@link RecordingRun}. */
export interface RecordingRunParts {
  /** Number of the recording in its session's host. */
  number: number;
  record: RecordingRecord;
  writer: RecordingWriter;
  /** True if the host sends the last seconds, which it has in memory. */
  fromRing: boolean;
  /** Returns the reason why no recording may grow further, if there is one. */
  full: () => 'quota' | 'storage' | undefined;
  /** Requests the end of the recording from the host. */
  endRecording: (reason: RecordingEnd) => void;
  /** Requests a key frame from the host. */
  requestKeyFrame: () => void;
  /** Called when a part could not be written. */
  onError: (error: unknown) => void;
  /** Called with the bytes that were written. */
  onBytes: (bytes: number) => void;
}

/** A recording that is being written: stores the parts that the host sends, and watches the limits. */
export class RecordingRun implements RecordingSink {
  /** Resolves with the reason of the end after the last part. */
  readonly ended: Promise<RecordingEnd>;
  #resolve: (reason: RecordingEnd) => void = () => undefined;
  #reason: RecordingEnd | undefined;
  /**
   * True after the end was requested from the host, or was reported by the host. Further parts are the last
   * parts.
   */
  #ending = false;
  /** True after a failed write. Further parts are dropped. */
  #failed = false;
  /** True if the host has sent a part. */
  #begun = false;
  readonly #users = new RecordedUsers();
  readonly #segments: LiveSegments;

  constructor(private readonly parts: RecordingRunParts) {
    this.#segments = new LiveSegments(() => parts.requestKeyFrame());
    this.ended = new Promise((resolve) => (this.#resolve = resolve));
    void this.ended.then(() => this.#segments.close());
  }

  get number(): number {
    return this.parts.number;
  }

  /** Returns the start of the recording in ISO 8601. `end`: time at which its last part arrived. */
  startedAt(end: Date): string {
    const { fromRing, record, writer } = this.parts;
    // A recording of the last seconds began before it was requested, so its start is computed from its end.
    return fromRing ? new Date(end.getTime() - writer.size.seconds * 1000).toISOString() : record.startedAt;
  }

  get record(): RecordingRecord {
    const { record, writer } = this.parts;
    const users = this.#users.ids;
    return { ...record, ...writer.size, users, state: this.#ending ? 'finalizing' : 'recording' };
  }

  async part(part: RecordingPart): Promise<void> {
    this.#begun = true;
    if (part.type === 'end') {
      this.#ending = true;
      const told = String(part.data);
      this.#resolve(this.#reason ?? RECORDING_ENDS.find((known) => known === told) ?? 'interrupted');
      return;
    }
    if (this.#failed) return;
    const { writer, onBytes, onError } = this.parts;
    const before = writer.size.bytes;
    try {
      await writer.write(part);
    } catch (error) {
      this.#failed = true;
      onError(error);
      this.end('storage');
      // Replaces the reason of an end that was requested earlier, because parts of the recording are lost.
      this.#reason = 'storage';
      return;
    }
    if (part.type === 'event') this.#users.add(String(part.data));
    else if (part.type === 'fragment') this.#segments.add(part);
    onBytes(writer.size.bytes - before);
    this.#watchLimits();
  }

  closed(reason: RecordingEnd): void {
    // If the host has sent parts but no end, the recording was interrupted.
    this.#resolve(this.#reason ?? (this.#begun ? 'interrupted' : reason));
  }

  /** Ends the last segment of the playlist. Resolves when the segment or the recording has ended. */
  segmented(): Promise<void> {
    return this.#segments.ended();
  }

  /**
   * Requests the end. Further calls do not change the reason of the end. Only a failed write changes this
   * reason later.
   */
  end(reason: RecordingEnd): void {
    if (this.#ending) return;
    this.#ending = true;
    this.#reason = reason;
    this.parts.endRecording(reason);
  }

  #watchLimits(): void {
    const { writer, record, full } = this.parts;
    const { maxMb } = record.settings;
    if (maxMb !== null && writer.size.bytes >= maxMb * 2 ** 20) this.end('max_mb');
    else {
      const reason = full();
      if (reason) this.end(reason);
    }
  }
}
