import type { SessionMethod } from 'cloud-browser/protocol';
import type { FromHost, ToHost } from '../host-protocol.js';
import { HostCallError } from '../sessions/host-call-error.js';
import type { Clock, Timer } from '../platform/clock.js';

/** After this a call counts as lost. */
const CALL_TIMEOUT_MS = 10_000;

interface Open {
  resolve: (result: unknown) => void;
  reject: (error: HostCallError) => void;
  timer: Timer;
}

/** The calls to one host that wait for their outcome. */
export class HostCalls {
  readonly #open = new Map<number, Open>();
  #last = 0;

  constructor(
    private readonly clock: Clock,
    private readonly send: (message: ToHost) => void,
  ) {}

  /** Resolves to what the method returns; rejects with {@link HostCallError}. */
  begin(method: SessionMethod, args: readonly unknown[]): Promise<unknown> {
    const call = ++this.#last;
    return new Promise((resolve, reject) => {
      const timer = this.clock.setTimeout(() => {
        this.#open.delete(call);
        reject(new HostCallError('err_call_timeout', `The session did not answer ${method} in time.`));
      }, CALL_TIMEOUT_MS);
      this.#open.set(call, { resolve, reject, timer });
      this.send({ type: 'call', call, method, args });
    });
  }

  settle({ call, result, error }: Extract<FromHost, { type: 'called' }>): void {
    const open = this.#open.get(call);
    if (!open) return;
    this.#open.delete(call);
    open.timer.cancel();
    if (error) open.reject(new HostCallError(error.code, error.message));
    else open.resolve(result);
  }

  /** The host is gone. */
  abandon(): void {
    for (const { reject, timer } of this.#open.values()) {
      timer.cancel();
      reject(new HostCallError('err_session_terminated', 'The session ended before it could answer.'));
    }
    this.#open.clear();
  }
}
