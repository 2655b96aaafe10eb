import type { EndReason } from './end-reason.js';
import type { TokenRecord } from '../tokens/token-record.js';
import type { SessionSettings } from '../settings/session-settings.js';

/** Persistent record of a session. It is plain JSON without secrets. */
export interface SessionRecord {
  /** A UUID. */
  id: string;
  /** Generation of the valid tokens, see `SessionTokens`. */
  generation: number;
  settings: SessionSettings;
  /** Tokens that were issued and not revoked. Absent: none. */
  tokens?: readonly TokenRecord[];
  /** RFC 3339, UTC. */
  createdAt: string;
  /** Time of the creation on the monotonic clock. Absent in records of older versions. */
  begun?: Moment;
  /** End of the session. Absent while the session runs. */
  ended?: {
    /** RFC 3339, UTC. */
    at: string;
    /** Duration on the monotonic clock. Absent in records of older versions. */
    seconds?: number;
    reason: EndReason;
    /** A sentence for the log and the API. */
    message: string;
  };
}

/** A moment on the monotonic clock of one service process. */
export interface Moment {
  /** Id of the process. Moments of different processes cannot be compared. */
  run: string;
  /** Milliseconds on the process's clock. */
  at: number;
}

/** State of a session. */
export type SessionState =
  /** A host is starting the session. The start page is not shown yet. */
  | 'starting'
  /** The start page has been shown. */
  | 'running'
  /** An end was requested. The processes of the session end, and its profile is saved. */
  | 'ending'
  /** The session and all its processes have ended. */
  | 'ended';

/**
 * Returns the duration of an ended session in seconds. If the record has no duration, computes it from the
 * dates, which depend on the machine's clock.
 */
export function secondsOf({ createdAt, ended }: SessionRecord): number {
  if (!ended) return 0;
  return ended.seconds ?? Math.max(0, (Date.parse(ended.at) - Date.parse(createdAt)) / 1000);
}

/** Current state of a session. */
export interface SessionStatus {
  record: SessionRecord;
  /** Seconds since the start, or the whole duration of an ended session. */
  seconds: number;
  state: SessionState;
  /** Viewers that are connected now. */
  viewers: number;
  /**
   * Time of the last report of input, RFC 3339, UTC. Null if there was no input, or if only the record is
   * available.
   */
  lastInput: string | null;
  /** True while the programs of the session are frozen because nobody uses the session. */
  standby: boolean;
}

/** Returns the state of a running session if only its record is available. `now`: milliseconds since 1970. */
export function runningBy(record: SessionRecord, now: number): SessionStatus {
  const seconds = Math.max(0, (now - Date.parse(record.createdAt)) / 1000);
  return { record, seconds, state: 'running', viewers: 0, lastInput: null, standby: false };
}

/** Returns the state of a session that is not live, from its record. */
export function endedBy(record: SessionRecord): SessionStatus {
  const seconds = secondsOf(record);
  return { record, seconds, state: 'ended', viewers: 0, lastInput: null, standby: false };
}
