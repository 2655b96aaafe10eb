import { isRecord } from '../../../../platform/is-record.js';

/** A command of a program. */
export interface ClientCommand {
  id: number;
  method: string;
  params: Readonly<Record<string, unknown>>;
  /** Id of the CDP session. Undefined for the program's first session with the browser. */
  sessionId: string | undefined;
}

/** Error codes of JSON-RPC and of Chromium. */
export const ERROR_CODES = {
  parse: -32700,
  request: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  refused: -32000,
  /** A refusal that the program must see, because the program lacks a right. See {@link refusalText}. */
  forbidden: -32000,
  noSession: -32001,
} as const;

/** Kind of an error. */
export type ErrorKind = keyof typeof ERROR_CODES;

/** Error for a command that is refused. Its message tells the program what to do. */
export class RefusedCommand extends Error {
  /**
   * @param id id of the message. Present if the message has an id, but other parts of it could not be read
   */
  constructor(
    readonly kind: ErrorKind,
    message: string,
    readonly id?: number,
  ) {
    super(message);
    this.name = 'RefusedCommand';
  }
}

/** Maximum length of a method's name and of a session's id, in characters. */
const MAX_NAME_CHARS = 128;

/**
 * Parses a message. Throws {@link RefusedCommand} if the message is not a command. The error has the id of
 * the message if the id could be read.
 */
export function readCommand(text: string): ClientCommand {
  const value = parse(text);
  if (!isRecord(value)) throw new RefusedCommand('request', 'Message must be an object.');
  const { id, method, params = {}, sessionId } = value;
  if (typeof id !== 'number' || !Number.isSafeInteger(id))
    throw new RefusedCommand('request', "Message must have integer 'id' property.");
  const fail = (message: string) => new RefusedCommand('request', message, id);
  if (typeof method !== 'string' || method.length > MAX_NAME_CHARS)
    throw fail("Message must have string 'method' property.");
  if (!isRecord(params)) throw fail("Message may have an object as 'params' property.");
  if (sessionId === undefined || sessionId === '') return { id, method, params, sessionId: undefined };
  if (typeof sessionId !== 'string' || sessionId.length > MAX_NAME_CHARS)
    throw fail("Message may have string 'sessionId' property.");
  return { id, method, params, sessionId };
}

/** Returns the message with the result of a command. */
export function resultText(
  { id, sessionId }: Pick<ClientCommand, 'id' | 'sessionId'>,
  result: object,
): string {
  return JSON.stringify({ id, result, ...(sessionId !== undefined && { sessionId }) });
}

/** Returns the message with the error of a command. */
export function errorText(
  { id, sessionId }: { id: number | undefined; sessionId?: string | undefined },
  kind: ErrorKind,
  message: string,
): string {
  const error = { code: ERROR_CODES[kind], message };
  return JSON.stringify({
    ...(id !== undefined && { id }),
    error,
    ...(sessionId !== undefined && { sessionId }),
  });
}

/** Methods that run a script. */
const SCRIPTS = new Set(['Runtime.callFunctionOn', 'Runtime.evaluate']);

/**
 * Returns the message with a refusal that the program must see. For a script, the message is an exception
 * with the reason, because Playwright shows the text of an exception. If the message were an error,
 * Playwright would report that a navigation destroyed the execution context, and a locator would repeat the
 * script until its timeout.
 */
export function refusalText(command: ClientCommand, reason: string): string {
  if (!SCRIPTS.has(command.method)) return errorText(command, 'forbidden', reason);
  const exception = {
    ...{ type: 'object', subtype: 'error', className: 'Error' },
    description: `Error: ${reason}`,
  };
  const where = { exceptionId: 0, lineNumber: 0, columnNumber: 0 };
  return resultText(command, {
    result: exception,
    exceptionDetails: { ...where, text: 'Uncaught', exception },
  });
}

/** Returns the parameters of an event, or no parameters. `message`: the parsed text of the event. */
export function paramsOf(message: unknown): Record<string, unknown> {
  const params = isRecord(message) ? message['params'] : undefined;
  return isRecord(params) ? params : {};
}

/** Returns a parameter that should be a number. Chromium itself refuses values of other types. */
export function numberOf(value: unknown, standard: number): number {
  return typeof value === 'number' ? value : standard;
}

/** Returns the message with an event. */
export function eventText(method: string, params: object, sessionId?: string): string {
  return JSON.stringify({ method, params, ...(sessionId !== undefined && { sessionId }) });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RefusedCommand('parse', 'The message is not valid JSON.');
  }
}
