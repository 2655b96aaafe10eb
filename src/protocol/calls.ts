import { ProtocolError } from './bytes.js';
import type { CallErrorCode, SessionEvent } from './session-api.js';

/** Viewer to host: perform a method of the session, such as `tabs.query`. Answered by one {@link CallAnswer}. */
export interface Call {
  type: 'call';
  /** Chosen by the viewer, unique among its unanswered calls. */
  id: number;
  /** The host answers `err_unknown_method` to what is no `SessionMethod`: a newer viewer may know more. */
  method: string;
  args: readonly unknown[];
  /** Lets a viewer do what only the session's admin may. */
  adminToken?: string;
}

/** Host to viewer: the outcome of the {@link Call} with the same id. */
export interface CallAnswer {
  type: 'answer';
  id: number;
  /** What the method returned; absent when it returned nothing, and when there is an `error`. */
  result?: unknown;
  error?: CallFailure;
}

/** Why a call was not carried out. */
export interface CallFailure {
  code: CallErrorCode;
  /** A sentence for people; errors of the browser itself come word for word. */
  message: string;
}

/** Host to viewer: something happened that this viewer has subscribed to, by a call of `subscribe`. */
export interface RemoteEvent {
  type: 'event';
  name: SessionEvent;
  args: readonly unknown[];
}

/** The longest name of a method. */
const MAX_METHOD_CHARS = 64;
const MAX_ARGUMENTS = 16;

/** Reads a call out of a parsed message of a viewer, which is not trusted. Throws {@link ProtocolError}. */
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
