import type { TabMethod } from 'cloud-browser/protocol';
import type { Bookmark } from '../../../host-protocol.js';
import type { CdpConnection } from '../cdp/cdp-connection.js';
import { BRIDGE_PATH } from '../launch/extensions.js';
import { BridgeWorker, type BridgeEvent } from './bridge-worker.js';

/** A worker that was just loaded runs its code within this. */
const START_TIMEOUT_MS = 5_000;
/** Between two looks for the worker. */
const POLL_INTERVAL_MS = 20;

/** What the worker offers; see `bridge/worker.ts` of the browser extensions. */
interface BridgeCalls {
  addBookmarks: [items: readonly Bookmark[]];
  callTabs: [method: TabMethod, args: readonly unknown[]];
  hideDownloads: [];
  keepOneWindow: [place: 'tabs' | 'popups'];
  listPages: [];
  popOut: [target: string];
  rendererOf: [tabId: number];
}

/**
 * Our own extension in the hosted browser, for what Chromium offers to extensions alone. It is loaded over the browser's pipe
 * when it is first needed, so it does not delay the start of a session. A worker that ends is started again.
 */
export class Bridge {
  /** Told of what happens in the browser, from the first {@link open} or {@link call} on. */
  onEvent: ((event: BridgeEvent) => void) | undefined;
  /** Told when the worker had ended and listens again; what happened in between was not told. */
  onReopened: (() => void) | undefined;
  #worker: Promise<BridgeWorker> | undefined;

  constructor(private readonly cdp: CdpConnection) {}

  /** Loads the extension, if that was not done before; resolves when events are told. */
  async open(): Promise<void> {
    await this.#connect();
  }

  /** Calls a function of the worker; rejects with what it throws, and with CdpError when it or the browser ends. */
  async call<Name extends keyof BridgeCalls>(name: Name, ...args: BridgeCalls[Name]): Promise<unknown> {
    const worker = await this.#connect();
    return worker.call(name, args);
  }

  #connect(): Promise<BridgeWorker> {
    if (this.#worker) return this.#worker;
    const worker = this.#load();
    this.#worker = worker;
    worker.catch(() => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }

  /** Loading an extension that is there starts it afresh, whatever became of its worker. */
  async #load(): Promise<BridgeWorker> {
    const { id } = await this.cdp.browser.send('Extensions.loadUnpacked', { path: BRIDGE_PATH });
    return this.#attach(id);
  }

  async #attach(id: string): Promise<BridgeWorker> {
    const limit = performance.now() + START_TIMEOUT_MS;
    do {
      const target = await this.#target(id);
      const worker = target && (await this.#attachTo(target).catch(() => undefined));
      if (worker) return worker;
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    } while (performance.now() < limit);
    throw new Error('The bridge into the browser does not answer.');
  }

  async #target(id: string): Promise<string | undefined> {
    const filter = [{ type: 'service_worker' }];
    const { targetInfos } = await this.cdp.browser.send('Target.getTargets', { filter });
    return targetInfos.find(({ url }) => url === `chrome-extension://${id}/worker.js`)?.targetId;
  }

  #attachTo(target: string): Promise<BridgeWorker | undefined> {
    return BridgeWorker.attach(
      this.cdp,
      target,
      (event) => this.onEvent?.(event),
      () => this.#reopen(),
    );
  }

  #reopen(): void {
    this.#worker = undefined;
    // One that cannot be started again is tried once more at the next call.
    this.#connect().then(
      () => this.onReopened?.(),
      () => undefined,
    );
  }
}
