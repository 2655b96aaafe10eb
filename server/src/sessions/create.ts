import type { SessionStatus } from './session-record.js';
import type { SessionSecrets } from './settings/session-settings.js';
import type { Warnings } from './settings/warnings.js';

/** Who asks for a session, and what came with the request. */
export interface CreateContext {
  /** The API key that was used. */
  apiKey: string;
  extension: SessionSecrets['extension'];
  /** For the log: which key, counted from 1, and from where. */
  by?: { key: number; address: string };
}

/** A session that was asked for. */
export interface CreatedSession extends SessionStatus {
  warnings: Warnings;
}
