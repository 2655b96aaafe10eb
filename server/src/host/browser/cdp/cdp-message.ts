/** Something that happened to a target. `params` are of the method's type: what the browser, our own program, sends is not checked. */
interface EventMessage {
  id?: undefined;
  method: string;
  /** The target's session; absent for the browser itself. */
  sessionId?: string;
  params: never;
}

/** The answer to a command. `result` is of the method's type. */
interface AnswerMessage {
  id: number;
  result: never;
  error?: undefined;
}

interface RefusalMessage {
  id: number;
  error: { message: string };
}

/** A message of the browser. */
export type CdpMessage = EventMessage | AnswerMessage | RefusalMessage;

/** Reads one message; undefined when it is none. */
export function readMessage(text: string): CdpMessage | undefined {
  const value = parseJson(text);
  return isMessage(value) ? value : undefined;
}

/** What a JSON text says; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
