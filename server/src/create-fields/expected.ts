/**
 * Key in a schema. Its value is a text that describes the valid values. Error messages show this text after
 * the words "must be". Used if the type of the schema alone does not describe the valid values.
 */
export const EXPECTED = 'x-expected';

/** Returns the schema option {@link EXPECTED}. */
export function expected(words: string): { [EXPECTED]: string } {
  return { [EXPECTED]: words };
}

/**
 * Key in a schema. With it, an empty text or object is validated like any other value. Without it, the
 * service drops empty values. Used if a session without the value could be unprotected, or if the empty value
 * has a meaning of its own.
 */
export const EXACT = 'x-exact';

/** Option of a schema, see {@link EXACT}. */
export const exact = { [EXACT]: true };

/**
 * Key in the schema of a text that customers often send as a number. The service converts the number to a
 * text.
 */
export const NUMBERS_TOO = 'x-numbers-too';

/** Option of a schema, see {@link NUMBERS_TOO}. */
export const numbersToo = { [NUMBERS_TOO]: true };
