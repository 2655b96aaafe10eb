import type { Call, CallAnswer, SessionMethod } from '../protocol/index.js';
import { Deferred } from './deferred.js';
import { CallError, CallTimeoutError, NotConnectedError } from './errors.js';
import type { Timers } from './timers.js';

/** After this a call counts as lost; the service waits as long for the calls of backends. */
export const CALL_TIMEOUT_MS = 10_000;

interface Open {
  answer: Deferred<unknown>;
  timer: unknown;
}

/** The calls of a client that wait for their answers. */
export class CallBook {
  readonly #open = new Map<number, Open>();
  #lastId = 0;

  constructor(private readonly timers: Timers) {}

  /**
   * Sends a call; resolves to its result. Rejects with {@link CallError} when the session refuses, with
   * {@link CallTimeoutError} when nothing comes back, with {@link NotConnectedError} when the connection goes first.
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

  /** Settles the call that this answers; an answer that comes too late is dropped. */
  settle({ id, result, error }: CallAnswer): void {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    this.timers.clearTimeout(open.timer);
    if (error) open.answer.reject(new CallError(error.code, error.message));
    else open.answer.resolve(result);
  }

  /** The connection is gone, and with it the answers. */
  abandon(): void {
    for (const { answer, timer } of this.#open.values()) {
      this.timers.clearTimeout(timer);
      answer.reject(new NotConnectedError('The connection was lost before the session answered; try again.'));
    }
    this.#open.clear();
  }
}
