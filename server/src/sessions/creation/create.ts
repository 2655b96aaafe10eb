import type { Session } from '../session.js';
import type { SessionStatus } from '../records/session-record.js';
import type { SessionSecrets } from '../settings/session-settings.js';
import type { Warnings } from '../../create-fields/warnings.js';

/** Origin of a create request, and the extension that came with it. */
export interface CreateContext {
  /** API key of the request. */
  apiKey: string;
  extension: SessionSecrets['extension'];
  /** For the log: number of the API key, counted from 1, and address of the caller. */
  by?: { key: number; address: string };
  /** Signals that the client has gone. A session that has not begun by then does not begin. */
  leaving?: AbortSignal;
}

/** A session that a create request returned. */
export interface CreatedSession extends SessionStatus {
  warnings: Warnings;
}

/** A session that a host of this node has accepted. */
export interface BegunSession {
  session: Session;
  /** Error for the caller. Present if the start failed. The session is then ending. */
  failure?: Error;
}
