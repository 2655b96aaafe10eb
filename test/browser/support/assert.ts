/** Fails unless both values are deeply equal. */
export function equal(actual: unknown, expected: unknown, message = 'Not the same'): void {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (got !== wanted) throw new Error(`${message}:\n  got    ${got}\n  wanted ${wanted}`);
}

/** Fails unless the value is truthy. */
export function ok(value: unknown, message = `Not so: ${String(value)}`): asserts value {
  if (!value) throw new Error(message);
}

/** Fails unless the promise rejects; resolves to the error. */
export async function rejected(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(outcome instanceof Error)) throw new Error('Not rejected with an error.');
  return outcome;
}
