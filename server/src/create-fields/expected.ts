/**
 * Key of a schema for a description of its valid values. An error shows the description after "must be". Used
 * if the type of the schema does not describe the values.
 */
export const EXPECTED = 'x-expected';

/** Returns the schema option {@link EXPECTED}. */
export function expected(words: string): { [EXPECTED]: string } {
  return { [EXPECTED]: words };
}

/**
 * Key of a schema for a value that must not be dropped when it is an empty text or object. Without the value,
 * a session could be unprotected, or the empty value has a meaning of its own. An empty value is validated
 * like any other value.
 */
export const EXACT = 'x-exact';

/** Option of a schema, see {@link EXACT}. */
export const exact = { [EXACT]: true };

/** Key of a schema of a text that customers often send as a number. */
export const NUMBERS_TOO = 'x-numbers-too';

/** Option of a schema, see {@link NUMBERS_TOO}. */
export const numbersToo = { [NUMBERS_TOO]: true };
