/**
 * Key of a schema with a description of its valid values, to follow "must be" in an error. For schemas whose
 * type does not describe them.
 */
export const EXPECTED = 'x-expected';

/** Option of a schema that describes its valid values in words. */
export function expected(words: string): { [EXPECTED]: string } {
  return { [EXPECTED]: words };
}

/**
 * Key of a schema whose value must match exactly. A wrong guess of its meaning could leave a session
 * unprotected.
 */
export const EXACT = 'x-exact';

/** Option of a schema, see {@link EXACT}. */
export const exact = { [EXACT]: true };

/** Key of a schema of a text that customers often send as a number. */
export const NUMBERS_TOO = 'x-numbers-too';

/** Option of a schema, see {@link NUMBERS_TOO}. */
export const numbersToo = { [NUMBERS_TOO]: true };
