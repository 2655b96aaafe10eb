/**
 * A promise that may be left alone: its failure is told in another way too, by the connection's state for instance, so it
 * is no unhandled rejection when nobody waits for it. Returns the promise itself.
 */
export function heard<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}

/** A promise that is settled from outside, and {@link heard}. */
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
