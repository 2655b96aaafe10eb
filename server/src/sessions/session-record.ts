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
  /** Set once the session is over, together with the reason. */
  ended?: {
    /** RFC 3339, UTC. */
    at: string;
    reason: ServerDisconnectReason;
    /** A sentence for the log and the API. */
    message: string;
  };
}

/** Where a session is in its life. */
export type SessionState =
  /** Its host is taking it on; the start page is not shown yet. */
  | 'starting'
  /** The start page has been shown. */
  | 'running'
  /** Over for good; nothing of it runs any more. */
  | 'ended';

/** A session as it is now. */
export interface SessionStatus {
  record: SessionRecord;
  state: SessionState;
  /** Connected at this moment. */
  viewers: number;
  /** When a person last did something, to a second; RFC 3339. Null: nobody yet, or the session has ended. */
  lastInput: string | null;
}
