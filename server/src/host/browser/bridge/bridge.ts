import type { Bookmark } from '../../../host-protocol.js';
import type { CdpConnection } from '../cdp.js';
import { innerPath, type LateExtension } from '../extensions.js';

const WORKER = /^chrome-extension:\/\/[a-p]{32}\/worker\.js$/;
const PATIENCE_MS = 5_000;
const POLL_MS = 20;

/** What the workers offer; see `bridge/worker.ts` and `proxy/worker.ts` of the browser extensions. */
interface BridgeCalls {
  addBookmarks: [items: readonly Bookmark[]];
  setProxyCredentials: [credentials: { username: string; password: string }];
}

/**
 * Our own extension in the hosted browser, for what Chromium offers to extensions alone. It is loaded when it is first
 * needed, over the browser's pipe, so a session that never needs it does not start later for it. What watches requests is an extension of its own: loading such a one cuts off the
 * requests that pages have under way, so that must be done before there are any.
 */
export class Bridge {
  #extensionId: Promise<string> | undefined;

  constructor(
    private readonly cdp: CdpConnection,
    private readonly extension: LateExtension = 'bridge',
  ) {}

  /** Calls a function of the worker; rejects with what it throws. */
  async call<Name extends keyof BridgeCalls>(name: Name, ...args: BridgeCalls[Name]): Promise<unknown> {
    const worker = await this.#attach();
    try {
      const answer = await this.cdp.send(
        'Runtime.evaluate',
        {
          expression: `bridge.${name}(${args.map((arg) => JSON.stringify(arg)).join()})`,
          awaitPromise: true,
          returnByValue: true,
        },
        worker,
      );
      const failure = answer['exceptionDetails'] as { exception?: { description?: string } } | undefined;
      if (failure) throw new Error(failure.exception?.description ?? `The bridge failed at ${name}.`);
      return (answer['result'] as { value?: unknown }).value;
    } finally {
      this.cdp.post('Target.detachFromTarget', { sessionId: worker });
    }
  }

  /** Attaches to the worker when its code has run. A worker that the browser put to sleep is woken. */
  async #attach(): Promise<string> {
    this.#extensionId ??= this.#load();
    const id = await this.#extensionId;
    const limit = performance.now() + PATIENCE_MS;
    do {
      const target = await this.#worker(id);
      const session = target && (await this.#attachTo(target));
      if (session) return session;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    } while (performance.now() < limit);
    throw new Error('The bridge into the browser does not answer.');
  }

  async #load(): Promise<string> {
    const { id } = await this.cdp.send('Extensions.loadUnpacked', { path: innerPath(this.extension) });
    return String(id);
  }

  async #worker(id: string): Promise<string | undefined> {
    const { targetInfos } = await this.cdp.send('Target.getTargets', {
      filter: [{ type: 'service_worker' }],
    });
    const workers = targetInfos as { targetId: string; url: string }[];
    return workers.find(({ url }) => WORKER.test(url) && url.includes(id))?.targetId;
  }

  async #attachTo(targetId: string): Promise<string | undefined> {
    const { sessionId } = await this.cdp.send('Target.attachToTarget', { targetId, flatten: true });
    const worker = sessionId as string;
    const answer = await this.cdp.send('Runtime.evaluate', { expression: 'typeof bridge' }, worker);
    if ((answer['result'] as { value?: unknown }).value === 'object') return worker;
    this.cdp.post('Target.detachFromTarget', { sessionId: worker });
    return undefined;
  }
}
