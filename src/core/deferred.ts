/**
 * Prevents the runtime's report of an unhandled rejection if no caller handles the promise. The failure must
 * also be reported in another way, for example by the connection's state. Returns the promise itself.
 */
export function heard<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}

/**
 * A promise that other code settles with `resolve` or `reject`. It causes no unhandled rejection, see
 * {@link heard}.
 */
export class Deferred<Value> {
  readonly promise: Promise<Value>;
  resolve!: (value: Value) => void;
  reject!: (error: Error) => void;

  constructor() {
    this.promise = heard(
      new Promise<Value>((resolve, reject) => {
        this.resolve = resolve;
        this.reject = reject;
      }),
    );
  }
}
