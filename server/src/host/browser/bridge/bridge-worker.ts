import { CdpError, type CdpConnection, type CdpEvent } from '../cdp/cdp-connection.js';

/** Name of the function in the worker that tells us of events; see `bridge/tabs.ts` of the browser extensions. */
const TELL = 'tellSession';

/** An event as the worker tells it. */
export interface BridgeEvent {
  name: string;
  args: unknown[];
}

/**
 * A lasting connection to the bridge's worker. The browser puts no worker to sleep that somebody is attached to, so calls
 * take a millisecond and no event is lost.
 */
export class BridgeWorker {
  readonly #open = new Set<(error: Error) => void>();
  readonly #listen = (event: CdpEvent) => this.#onEvent(event);
  #listening = false;
  #closed = false;

  private constructor(
    private readonly cdp: CdpConnection,
    private readonly sessionId: string,
    private readonly onEvent: (event: BridgeEvent) => void,
    private readonly onLost: () => void,
  ) {
    cdp.events.on('event', this.#listen);
  }

  /**
   * Attaches to a worker; undefined when its code has not run yet. Rejects when it is gone.
   *
   * @param onLost called once when the worker ends by itself; not when the browser does
   */
  static async attach(
    cdp: CdpConnection,
    targetId: string,
    onEvent: (event: BridgeEvent) => void,
    onLost: () => void,
  ): Promise<BridgeWorker | undefined> {
    const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: true });
    const worker = new BridgeWorker(cdp, String(sessionId), onEvent, onLost);
    try {
      if ((await worker.#evaluate('typeof bridge')) === 'object') {
        await cdp.send('Runtime.enable', {}, worker.sessionId);
        await cdp.send('Runtime.addBinding', { name: TELL }, worker.sessionId);
        worker.#listening = true;
        return worker;
      }
    } catch (error) {
      worker.close();
      throw error;
    }
    worker.close();
    return undefined;
  }

  /** Calls a function of the worker with JSON values. Rejects with what it throws, and with CdpError when the worker ends. */
  call(name: string, args: readonly unknown[]): Promise<unknown> {
    // A text within a text: as a literal, an argument's key `__proto__` would mean something.
    return this.#evaluate(`bridge.${name}(...JSON.parse(${JSON.stringify(JSON.stringify(args))}))`);
  }

  /** Lets go of the worker, which may sleep then. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.cdp.events.off('event', this.#listen);
    for (const giveUp of this.#open) giveUp(new CdpError('Runtime.evaluate', 'the worker ended'));
    this.cdp.post('Target.detachFromTarget', { sessionId: this.sessionId });
  }

  async #evaluate(expression: string): Promise<unknown> {
    const params = { expression, awaitPromise: true, returnByValue: true };
    let giveUp: (error: Error) => void = () => undefined;
    const lost = new Promise<never>((_resolve, reject) => (giveUp = reject));
    this.#open.add(giveUp);
    try {
      const answer = await Promise.race([this.cdp.send('Runtime.evaluate', params, this.sessionId), lost]);
      const failure = answer['exceptionDetails'] as { exception?: { description?: string } } | undefined;
      if (failure) throw new Error(failure.exception?.description ?? 'The bridge failed.');
      return (answer['result'] as { value?: unknown }).value;
    } finally {
      this.#open.delete(giveUp);
    }
  }

  #onEvent({ method, params, sessionId }: CdpEvent): void {
    if (sessionId === this.sessionId && method === 'Runtime.bindingCalled' && params['name'] === TELL) {
      this.onEvent(JSON.parse(String(params['payload'])) as BridgeEvent);
      return;
    }
    // What a stopped worker was asked is never answered: neither now nor by the one that may start in its place.
    const crashed = method === 'Inspector.targetCrashed' && sessionId === this.sessionId;
    const detached = method === 'Target.detachedFromTarget' && params['sessionId'] === this.sessionId;
    if (!crashed && !detached) return;
    this.close();
    // Before, whoever attaches hears of it.
    if (this.#listening) this.onLost();
  }
}
