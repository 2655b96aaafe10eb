import type { ServerDisconnectReason } from 'cloud-browser/protocol';
import type { SessionSettings } from './settings/session-settings.js';

/** What is kept of a session, for as long as the state directory is. Plain JSON, without secrets. */
export interface SessionRecord {
  /** A UUID. */
  id: string;
  /** Which tokens are valid, see `SessionTokens`. */
  generation: number;
  settings: SessionSettings;
  /** RFC 3339, UTC. */
  createdAt: string;
  /** The same moment on the clock that nobody sets; absent in records that were made without it. */
  begun?: Moment;
  /** Set once the session is over, together with the reason. */
  ended?: {
    /** RFC 3339, UTC. */
    at: string;
    /** How long it lasted, on a clock that nobody sets; absent in records that were made without it. */
    seconds?: number;
    reason: ServerDisconnectReason;
    /** A sentence for the log and the API. */
    message: string;
  };
}

/** A moment in the life of one service process. */
export interface Moment {
  /** Names the process: moments of another one cannot be compared with it. */
  run: string;
  /** Milliseconds of its clock. */
  at: number;
}

/** Where a session is in its life. */
export type SessionState =
  /** Its host is taking it on; the start page is not shown yet. */
  | 'starting'
  /** The start page has been shown. */
  | 'running'
  /** Over for good; nothing of it runs any more. */
  | 'ended';

/** Seconds that an ended session lasted. Without its own count the dates say it, as far as the machine's clock was right. */
export function secondsOf({ createdAt, ended }: SessionRecord): number {
  if (!ended) return 0;
  return ended.seconds ?? Math.max(0, (Date.parse(ended.at) - Date.parse(createdAt)) / 1000);
}

/** A session as it is now. */
export interface SessionStatus {
  record: SessionRecord;
  /** Seconds that it has lasted, or lasted. */
  seconds: number;
  state: SessionState;
  /** Connected at this moment. */
  viewers: number;
  /** When a person last did something, to a second; RFC 3339. Null: nobody yet, or the session has ended. */
  lastInput: string | null;
}

/** How a session is of which nothing but its record is known. `now`: milliseconds since 1970. */
export function runningBy(record: SessionRecord, now: number): SessionStatus {
  const seconds = Math.max(0, (now - Date.parse(record.createdAt)) / 1000);
  return { record, seconds, state: 'running', viewers: 0, lastInput: null };
}
