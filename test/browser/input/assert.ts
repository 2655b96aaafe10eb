/** Fails unless both values are deeply equal. */
export function equal(actual: unknown, expected: unknown, message = 'Not the same'): void {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (got !== wanted) throw new Error(`${message}:\n  got    ${got}\n  wanted ${wanted}`);
}

/** Fails unless the statement is true. */
export function ok(statement: boolean, message: string): void {
  if (!statement) throw new Error(message);
}
