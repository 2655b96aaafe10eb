import { isSessionEvent, type DialogAnswer, type SessionEvent } from 'cloud-browser/protocol';
import { CallError } from './call-error.js';

/** Maximum length of a prompt's answer. Users type less. */
const MAX_PROMPT_CHARS = 4_096;

/**
 * Checks of untrusted arguments that several features use. To refuse a value, they throw {@link CallError}.
 */

/** Check of a method without arguments. */
export const noArguments = (): [] => [];

/** Returns the name of an event, the only argument. */
export function eventArgument([name]: readonly unknown[]): [SessionEvent] {
  if (isSessionEvent(name)) return [name];
  throw new CallError('err_unknown_event', `There is no event ${String(name)}.`);
}

/**
 * Returns the error for a wrong argument.
 *
 * @param name the argument's name in the documentation
 */
export function wrong(name: string, expected: string): CallError {
  return new CallError('err_invalid_parameter', `${name} must be ${expected}.`);
}

/** Returns an argument that must be true or false. */
export function booleanOf(value: unknown, name: string): boolean {
  if (typeof value !== 'boolean') throw wrong(name, 'true or false');
  return value;
}

/** Returns a number unchanged, and NaN for any other value. NaN is in no valid range. */
export function numberOrNaN(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}

/** Returns the fields of an object. Any other value has no fields. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Returns the answer to a dialog. */
export function dialogAnswerOf(value: unknown): DialogAnswer {
  const { accept, text } = (value ?? {}) as Record<string, unknown>;
  if (typeof accept !== 'boolean') throw wrong('accept', 'true or false');
  if (text === undefined || text === null) return { accept };
  if (typeof text !== 'string' || text.length > MAX_PROMPT_CHARS)
    throw wrong('text', `a text of at most ${MAX_PROMPT_CHARS} characters`);
  return { accept, text };
}
