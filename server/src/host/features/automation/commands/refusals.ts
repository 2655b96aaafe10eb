import { CallError } from '../../../room/calls/call-error.js';
import { errorText, refusalText, RefusedCommand, type ClientCommand } from './messages.js';

/** Codes of refusals that the program must see. See {@link refusalText}. */
const SEEN_REFUSALS: ReadonlySet<string> = new Set(['err_forbidden', 'err_person_has_control']);
/** The beginning of an answer without content. */
const EMPTY_ANSWER = /^\{"id":-?\d+,"result":\{\}/;

/** True if the text of an answer has no content. */
export function isEmpty(answer: string): boolean {
  return EMPTY_ANSWER.test(answer);
}

/** Returns the answer to a command that was refused, or that has failed. */
export function errorOf(command: ClientCommand, error: unknown): string {
  if (error instanceof RefusedCommand)
    return error.kind === 'forbidden'
      ? refusalText(command, error.message)
      : errorText(command, error.kind, error.message);
  const message = `${command.method}: ${error instanceof Error ? error.message : String(error)}`;
  const isSeen = error instanceof CallError && SEEN_REFUSALS.has(error.code);
  return isSeen ? refusalText(command, message) : errorText(command, 'refused', message);
}
