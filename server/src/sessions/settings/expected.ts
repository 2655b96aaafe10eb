/**
 * The key of a schema under which it says in words what its value must be, to follow "must be" in an error. For schemas
 * whose kind alone does not say it.
 */
export const EXPECTED = 'x-expected';

/** An option of a schema: what the value must be, in words. */
export function expected(words: string): { [EXPECTED]: string } {
  return { [EXPECTED]: words };
}

/** The key of a schema whose value is taken to the letter: what it meant is not guessed, since a wrong guess would leave a session open. */
export const EXACT = 'x-exact';

/** An option of a schema: {@link EXACT}. */
export const exact = { [EXACT]: true };

/** The key of a schema of a text that customers often have as a number. */
export const NUMBERS_TOO = 'x-numbers-too';

/** An option of a schema: {@link NUMBERS_TOO}. */
export const numbersToo = { [NUMBERS_TOO]: true };
