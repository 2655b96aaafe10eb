import { ProtocolError } from './bytes.js';
import type { CallErrorCode, SessionEvent } from './session-api.js';

/**
 * Viewer to host: a call of a session method, such as `tabs.query`. The host answers with one
 * {@link CallAnswer}.
 */
export interface Call {
  type: 'call';
  /** Chosen by the viewer. Unique among its unanswered calls. */
  id: number;
  /**
   * Any name, because a newer viewer may know more methods. The host answers `err_unknown_method` if it is
   * not a `SessionMethod`.
   */
  method: string;
  args: readonly unknown[];
  /** Token for calls that only the session's admin may make. */
  adminToken?: string;
}

/** Host to viewer: the result of the {@link Call} with the same id. */
export interface CallAnswer {
  type: 'answer';
  id: number;
  /** The return value of the method. Absent if the method returned nothing or failed. */
  result?: unknown;
  error?: CallFailure;
}

/** The reason why a call failed. */
export interface CallFailure {
  code: CallErrorCode;
  /** A sentence for people. An error message of the browser is passed on unchanged. */
  message: string;
}

/** Host to viewer: an event that this viewer has subscribed to with the method `subscribe`. */
export interface RemoteEvent {
  type: 'event';
  name: SessionEvent;
  args: readonly unknown[];
}

/** Longest name of a method, in characters. */
const MAX_METHOD_CHARS = 64;
const MAX_ARGUMENTS = 16;

/** Decodes a call from a parsed viewer message, which is not trusted. Throws {@link ProtocolError}. */
export function decodeCall(message: Record<string, unknown>): Call {
  const { id, method, args, adminToken } = message;
  if (typeof id !== 'number' || !Number.isSafeInteger(id))
    throw new ProtocolError('call.id must be an integer.');
  if (typeof method !== 'string' || method.length > MAX_METHOD_CHARS)
    throw new ProtocolError('call.method must be a short string.');
  if (!Array.isArray(args) || args.length > MAX_ARGUMENTS)
    throw new ProtocolError(`call.args must be an array of at most ${MAX_ARGUMENTS} values.`);
  const call: Call = { type: 'call', id, method, args };
  if (typeof adminToken === 'string') call.adminToken = adminToken;
  return call;
}
