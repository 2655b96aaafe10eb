import type { ServerDisconnectReason } from 'cloud-browser/protocol';
import { endDate, type Clock } from '../../platform/time/clock.js';
import type { TokenRecord } from '../tokens/token-record.js';
import { CLUSTER_END_MESSAGES, isClusterEnd, viewerReason, type EndReason } from './end-reason.js';
import type { SessionRecord } from './session-record.js';

/** Record of a live session. The class adds the session's tokens and its end to the record. */
export class LiveRecord {
  /** Time at which the session began, in milliseconds of the clock. */
  readonly begun: number;
  #record: SessionRecord;
  #requestedEnd: EndReason | undefined;

  constructor(
    record: SessionRecord,
    private readonly clock: Clock,
  ) {
    this.#record = record;
    this.begun = clock.now();
  }

  /** The current record. Each change creates a new object. */
  get current(): SessionRecord {
    return this.#record;
  }

  /** Seconds since the session began. After the end, the duration of the session. */
  get seconds(): number {
    return this.#record.ended?.seconds ?? (this.clock.now() - this.begun) / 1000;
  }

  keepTokens(tokens: readonly TokenRecord[]): void {
    this.#record = { ...this.#record, tokens };
  }

  /** Reason of the first request to end the session. */
  get requestedEnd(): EndReason | undefined {
    return this.#requestedEnd;
  }

  /** Remembers the reason of the first requested end. Further calls have no effect. */
  requestEnd(reason: EndReason): void {
    this.#requestedEnd ??= reason;
  }

  /**
   * Records the end that the host reports. If the cluster has requested the end, records the cluster's
   * reason, because the host does not know it.
   */
  end(reason: ServerDisconnectReason, message: string): void {
    const why = this.#requestedEnd;
    const cause =
      why && isClusterEnd(why) && reason === viewerReason(why)
        ? { reason: why, message: CLUSTER_END_MESSAGES[why] }
        : { reason, message };
    const seconds = Math.round(this.seconds * 1000) / 1000;
    const at = endDate(this.clock, this.#record.createdAt, seconds);
    this.#record = { ...this.#record, ended: { at, seconds, ...cause } };
  }
}
