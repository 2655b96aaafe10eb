import type { SessionMethod } from 'cloud-browser/protocol';
import { CLIENT_GONE, type CallingAgent, type FromHost, type ToHost } from '../../host-protocol.js';
import { HostCallError } from '../../sessions/host-call-error.js';
import type { Clock, Timer } from '../../platform/time/clock.js';

/**
 * Time in milliseconds after which a call counts as lost. For a call that waits for the start of the session,
 * this time begins when the session has started. Until then, the deadline of the start applies.
 */
const CALL_TIMEOUT_MS = 10_000;
/**
 * Same as {@link CALL_TIMEOUT_MS}, for methods that programs call. Such a method may wait until a person
 * gives up control and the screen stops changing.
 */
const PROGRAM_CALL_TIMEOUT_MS = 660_000;
/** Methods with the long timeout. */
const PROGRAM_METHOD = /^computer\.(?!(?:ticket|remove|stage|keep|discard)$)|^screenshot$/;

interface Open {
  resolve: (result: unknown) => void;
  reject: (error: HostCallError) => void;
  method: SessionMethod;
  timer: Timer | undefined;
}

/** The calls to one host that wait for their results. */
export class HostCalls {
  readonly #open = new Map<number, Open>();
  #last = 0;
  #isStarted = false;
  #isAbandoned = false;

  constructor(
    private readonly clock: Clock,
    private readonly send: (message: ToHost) => void,
  ) {}

  /**
   * Calls a method. Resolves with its result. Rejects with {@link HostCallError}.
   *
   * @param leaving signals that the client has gone; the host then refuses a call that still waits
   */
  begin(
    method: SessionMethod,
    args: readonly unknown[],
    program?: CallingAgent,
    leaving?: AbortSignal,
  ): Promise<unknown> {
    if (this.#isAbandoned) return Promise.reject(gone());
    if (leaving?.aborted) return Promise.reject(new HostCallError('err_call_failed', CLIENT_GONE));
    const call = ++this.#last;
    const abandon = () => this.send({ type: 'abandon', call });
    leaving?.addEventListener('abort', abandon, { once: true });
    return new Promise((resolve, reject) => {
      const open: Open = { resolve, reject, method, timer: undefined };
      this.#open.set(call, open);
      if (this.#isStarted) this.#limit(call, open);
      this.send({ type: 'call', call, method, args, ...(program && { program }) });
    }).finally(() => leaving?.removeEventListener('abort', abandon));
  }

  /** Records that the session has started. From now on, calls have a time limit. */
  started(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    for (const [call, open] of this.#open) this.#limit(call, open);
  }

  settle({ call, result, error }: Extract<FromHost, { type: 'called' }>): void {
    const open = this.#open.get(call);
    if (!open) return;
    this.#open.delete(call);
    open.timer?.cancel();
    if (error) open.reject(new HostCallError(error.code, error.message));
    else open.resolve(result);
  }

  /** Rejects all open and later calls, because the host is gone. */
  abandon(): void {
    this.#isAbandoned = true;
    for (const { reject, timer } of this.#open.values()) {
      timer?.cancel();
      reject(gone());
    }
    this.#open.clear();
  }

  #limit(call: number, open: Open): void {
    const limit = PROGRAM_METHOD.test(open.method) ? PROGRAM_CALL_TIMEOUT_MS : CALL_TIMEOUT_MS;
    open.timer = this.clock.setTimeout(() => {
      this.#open.delete(call);
      // The caller learns that the call failed. So the host must not perform it later.
      this.send({ type: 'abandon', call });
      open.reject(
        new HostCallError('err_call_timeout', `The session did not answer ${open.method} in time.`),
      );
    }, limit);
  }
}

function gone(): HostCallError {
  return new HostCallError('err_session_terminated', 'The session ended before it could answer.');
}
