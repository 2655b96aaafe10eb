import type { CdpConnection } from '../cdp/cdp-connection.js';
import type { CdpSession } from '../cdp/cdp-session.js';
import { parseJson } from '../../../platform/parse-json.js';

/**
 * Name of the function through which the worker sends events to the host. See `bridge/tabs.ts` of the browser
 * extensions.
 */
const TELL = 'tellSession';
/**
 * Timeout for a call. Most of Chromium's extension functions answer at once, but some wait for a page that is
 * closing or suspended.
 */
const CALL_TIMEOUT_MS = 10_000;
/** Timeout for the check whether the worker's code has run. A worker whose code has run answers at once. */
const PROBE_TIMEOUT_MS = 1_000;

/** An event from the worker. */
export interface BridgeEvent {
  name: string;
  args: unknown[];
}

/**
 * Keeps a debugger attached to the service worker of the bridge, which is this project's extension. The
 * browser does not suspend a worker while a debugger is attached. So calls take a millisecond, and no event
 * is lost.
 */
export class BridgeWorker {
  #closed = false;

  private constructor(
    private readonly cdp: CdpConnection,
    private readonly session: CdpSession,
    onEvent: (event: BridgeEvent) => void,
  ) {
    session.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (this.#closed || name !== TELL) return;
      const event = parseJson(payload);
      if (isEvent(event)) onEvent(event);
    });
  }

  /**
   * Attaches to a worker. Resolves to undefined if its code has not run yet. Rejects if the worker is gone.
   *
   * @param onLost called once when the worker ends unexpectedly, but not when the browser ends
   */
  static async attach(
    cdp: CdpConnection,
    targetId: string,
    onEvent: (event: BridgeEvent) => void,
    onLost: () => void,
  ): Promise<BridgeWorker | undefined> {
    const { sessionId } = await cdp.browser.send('Target.attachToTarget', { targetId, flatten: true });
    const session = cdp.session(sessionId);
    const worker = new BridgeWorker(cdp, session, onEvent);
    try {
      if ((await worker.#evaluate('typeof bridge', PROBE_TIMEOUT_MS)) === 'object') {
        await session.send('Runtime.enable', {});
        await session.send('Runtime.addBinding', { name: TELL });
        worker.#watch(onLost);
        return worker;
      }
    } catch (error) {
      worker.close();
      throw error;
    }
    worker.close();
    return undefined;
  }

  /**
   * Calls a function of the worker with JSON values. Rejects with the error that the function throws, and
   * with CdpError when the worker ends.
   */
  call(name: string, args: readonly unknown[]): Promise<unknown> {
    // Passes the arguments as JSON inside a string. In an object literal, a key `__proto__` would set the
    // prototype.
    const expression = `bridge.${name}(...JSON.parse(${JSON.stringify(JSON.stringify(args))}))`;
    return this.#evaluate(expression, CALL_TIMEOUT_MS);
  }

  /** Detaches from the worker. The browser may then suspend it. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.cdp.browser.post('Target.detachFromTarget', { sessionId: this.session.id });
  }

  #watch(onLost: () => void): void {
    const lost = () => {
      if (this.#closed) return;
      this.close();
      onLost();
    };
    this.session.on('Inspector.targetCrashed', lost);
    void this.session.ended.then((reason) => reason === 'detached' && lost());
  }

  async #evaluate(expression: string, timeoutMs: number): Promise<unknown> {
    const params = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.session.send('Runtime.evaluate', params, timeoutMs);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? 'The bridge failed.');
    return result.value;
  }
}

function isEvent(value: unknown): value is BridgeEvent {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('args' in value)) return false;
  return typeof value.name === 'string' && Array.isArray(value.args);
}
