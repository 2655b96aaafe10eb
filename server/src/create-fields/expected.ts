/**
 * Key of a schema for a text that describes the valid values. Error messages show the text after the words
 * "must be". Used if the type of the schema does not describe the values.
 */
export const EXPECTED = 'x-expected';

/** Returns the schema option {@link EXPECTED}. */
export function expected(words: string): { [EXPECTED]: string } {
  return { [EXPECTED]: words };
}

/**
 * Key of a schema whose empty texts and objects are validated like any other value. The service drops empty
 * values of other schemas. Used if a session without the value could be unprotected, or if the empty value
 * has a meaning of its own.
 */
export const EXACT = 'x-exact';

/** Option of a schema, see {@link EXACT}. */
export const exact = { [EXACT]: true };

/**
 * Key of a schema of a text that customers often send as a number. The service converts the number to a text.
 */
export const NUMBERS_TOO = 'x-numbers-too';

/** Option of a schema, see {@link NUMBERS_TOO}. */
export const numbersToo = { [NUMBERS_TOO]: true };
