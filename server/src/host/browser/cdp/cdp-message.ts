import { isRecord } from '../../../platform/is-record.js';
import { parseJson } from '../../../platform/parse-json.js';

/**
 * An event of a target. The type of `params` depends on the method. The host does not check `params`, because
 * it trusts its own browser.
 */
interface EventMessage {
  id?: undefined;
  method: string;
  /** The target's session id; absent for the browser itself. */
  sessionId?: string;
  params: never;
}

/** The answer to a command. The type of `result` depends on the method. */
interface AnswerMessage {
  id: number;
  result: never;
  error?: undefined;
}

interface RefusalMessage {
  id: number;
  error: { message: string };
}

/** A message from the browser. */
export type CdpMessage = EventMessage | AnswerMessage | RefusalMessage;

/** Parses a message. Returns undefined if the text is not a message. */
export function readMessage(text: string): CdpMessage | undefined {
  const value = parseJson(text);
  return isMessage(value) ? value : undefined;
}

function isMessage(value: unknown): value is CdpMessage {
  if (!isRecord(value)) return false;
  const { id, method, sessionId, result, params, error } = value;
  if (id === undefined)
    return (
      typeof method === 'string' && ['string', 'undefined'].includes(typeof sessionId) && isRecord(params)
    );
  if (typeof id !== 'number') return false;
  return error === undefined ? isRecord(result) : isRecord(error) && typeof error['message'] === 'string';
}
