import { Deferred } from '../deferred.js';
import type { SizePace } from './size-pace.js';

interface Waiting<Options> {
  args: readonly unknown[];
  options: Options;
  readonly answer: Deferred<unknown>;
}

/**
 * Calls `resize` no faster than {@link SizePace} allows. All waiting calls become one call with the newest
 * size.
 */
export class PacedResizes<Options> {
  #waiting: Waiting<Options> | undefined;

  /** @param perform makes the call */
  constructor(
    private readonly pace: SizePace,
    private readonly perform: (args: readonly unknown[], options: Options) => Promise<unknown>,
  ) {}

  /**
   * Requests a call of `resize` with these arguments. Settles as this call does. If a call with newer
   * arguments replaces it, settles as the newer call does.
   */
  call(args: readonly unknown[], options: Options): Promise<unknown> {
    const answer = this.#waiting?.answer ?? new Deferred<unknown>();
    this.#waiting = { args, options, answer };
    this.pace.send('resize', () => this.#make());
    return answer.promise;
  }

  /** Rejects the waiting call. */
  abandon(error: Error): void {
    this.#waiting?.answer.reject(error);
    this.#waiting = undefined;
  }

  #make(): void {
    const call = this.#waiting;
    if (!call) return;
    this.#waiting = undefined;
    this.perform(call.args, call.options).then(
      (result) => call.answer.resolve(result),
      (error: unknown) => call.answer.reject(error instanceof Error ? error : new Error(String(error))),
    );
  }
}
