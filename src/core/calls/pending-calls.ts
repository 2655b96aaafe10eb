import type { Call, CallAnswer, SessionMethod } from '../../protocol/index.js';
import { Deferred } from '../deferred.js';
import { CallError, CallTimeoutError, NotConnectedError } from '../errors.js';
import type { Timers } from '../timers.js';

/**
 * Timeout of a call, in milliseconds. The service uses the same timeout for calls that backends make over
 * HTTP.
 */
export const CALL_TIMEOUT_MS = 10_000;

interface Open {
  answer: Deferred<unknown>;
  timer: unknown;
}

/** The calls of a client that wait for an answer. */
export class PendingCalls {
  readonly #open = new Map<number, Open>();
  #lastId = 0;

  constructor(private readonly timers: Timers) {}

  /**
   * Sends a call. Resolves to its result. Rejects with {@link CallError} if the session refuses, with
   * {@link CallTimeoutError} if no answer arrives in time, and with {@link NotConnectedError} if the
   * connection is lost first.
   */
  begin(
    call: Omit<Call, 'type' | 'id'> & { method: SessionMethod },
    send: (call: Call) => void,
  ): Promise<unknown> {
    const id = ++this.#lastId;
    const answer = new Deferred<unknown>();
    const timer = this.timers.setTimeout(() => {
      this.#open.delete(id);
      answer.reject(new CallTimeoutError(call.method));
    }, CALL_TIMEOUT_MS);
    this.#open.set(id, { answer, timer });
    send({ type: 'call', id, ...call });
    return answer.promise;
  }

  /** Settles the call that this message answers. Ignores an answer that arrives too late. */
  settle({ id, result, error }: CallAnswer): void {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    this.timers.clearTimeout(open.timer);
    if (error) open.answer.reject(new CallError(error.code, error.message));
    else open.answer.resolve(result);
  }

  /** Rejects all open calls, because the connection is lost. */
  abandon(): void {
    for (const { answer, timer } of this.#open.values()) {
      this.timers.clearTimeout(timer);
      answer.reject(new NotConnectedError('The connection was lost before the session answered. Try again.'));
    }
    this.#open.clear();
  }
}
