/**
 * The key of a schema under which it says in words what its value must be, to follow "must be" in an error. For schemas
 * whose kind alone does not say it.
 */
export const EXPECTED = 'x-expected';

/** An option of a schema: what the value must be, in words. */
export function expected(words: string): { [EXPECTED]: string } {
  return { [EXPECTED]: words };
}
