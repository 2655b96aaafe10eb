import {
  HANDOFF_ANSWERS,
  MAX_HANDOFF_CHARS,
  MAX_HANDOFF_SECONDS,
  type HandoffAnswer,
  type HandoffRequest,
  type MethodArgs,
} from 'cloud-browser/protocol';
import { numberOrNaN, wrong } from '../calls/arguments.js';
import { userIdOf } from '../calls/user-arguments.js';

/** Longest wait of one call, in seconds. The service's calls have a timeout of 10 s. */
const MAX_WAIT_SECONDS = 8;
const MAX_ID_CHARS = 64;
const MAX_NAME_CHARS = 64;

/**
 * Returns an untrusted argument that must be a text of at most `max` characters. Throws `CallError` for other
 * values.
 */
function textOf(value: unknown, name: string, max: number): string {
  if (typeof value !== 'string' || value.length > max)
    throw wrong(name, `a text of at most ${max} characters`);
  return value;
}

function idOf(value: unknown): string {
  return textOf(value, 'id', MAX_ID_CHARS);
}

/** True if a field has a value. Null has the same meaning as an absent field. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Checks the argument of `handoffs.request`. */
export function requestOf([value]: readonly unknown[]): [HandoffRequest] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong('The argument', 'an object with instructions, timeout, agent and name');
  const { instructions, timeout, agent, name } = value as Record<string, unknown>;
  const text = typeof instructions === 'string' ? instructions.trim() : '';
  if (text === '' || text.length > MAX_HANDOFF_CHARS)
    throw wrong('instructions', `a text of 1 to ${MAX_HANDOFF_CHARS} characters`);
  const seconds = isGiven(timeout) ? numberOrNaN(timeout) : undefined;
  if (seconds !== undefined && !(seconds >= 1 && seconds <= MAX_HANDOFF_SECONDS))
    throw wrong('timeout', `a number of seconds from 1 to ${MAX_HANDOFF_SECONDS}`);
  // Without a name, users would not see which agent asks. So an empty name counts as absent.
  const shown = isGiven(name) ? textOf(name, 'name', MAX_NAME_CHARS).trim() : '';
  return [
    {
      instructions: text,
      ...(seconds !== undefined && { timeout: seconds }),
      ...(isGiven(agent) && { agent: userIdOf(agent, 'agent') }),
      ...(shown !== '' && { name: shown }),
    },
  ];
}

/** Checks the arguments of `handoffs.get`. */
export function waitOf([id, wait]: readonly unknown[]): MethodArgs<'handoffs.get'> {
  const seconds = numberOrNaN(wait ?? 0);
  if (!(seconds >= 0 && seconds <= MAX_WAIT_SECONDS))
    throw wrong('wait', `a number of seconds from 0 to ${MAX_WAIT_SECONDS}`);
  return [idOf(id), seconds];
}

/** Checks the argument of `handoffs.withdraw`. */
export function handoffIdOf([id]: readonly unknown[]): [string] {
  return [idOf(id)];
}

/** Checks the arguments of `finishHandoff`. */
export function answerOf([id, answer, note]: readonly unknown[]): MethodArgs<'finishHandoff'> {
  if (!(HANDOFF_ANSWERS as readonly unknown[]).includes(answer))
    throw wrong('The second argument', HANDOFF_ANSWERS.join(' or '));
  return [idOf(id), answer as HandoffAnswer, textOf(note ?? '', 'note', MAX_HANDOFF_CHARS)];
}
