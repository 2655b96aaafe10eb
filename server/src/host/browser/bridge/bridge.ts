import type { TabMethod } from 'cloud-browser/protocol';
import type { Bookmark } from '../../../host-protocol.js';
import type { CdpConnection } from '../cdp/cdp-connection.js';
import { BRIDGE_PATH } from '../launch/extensions.js';
import { BridgeWorker, type BridgeEvent } from './bridge-worker.js';

/** Time within which the code of a newly loaded worker must have run. Milliseconds. */
const START_TIMEOUT_MS = 5_000;
/** Pause between two searches for the worker. */
const POLL_INTERVAL_MS = 20;

/** Functions of the worker; see `bridge/worker.ts` of the browser extensions. */
interface BridgeCalls {
  addBookmarks: [items: readonly Bookmark[]];
  callTabs: [method: TabMethod, args: readonly unknown[]];
  hideDownloads: [];
  iconsOf: [addresses: readonly string[]];
  keepOneWindow: [place: 'tabs' | 'popups'];
  listPages: [];
  popOut: [target: string];
  rendererOf: [tabId: number];
}

/**
 * Calls this project's extension in the hosted browser. The extension uses functions that Chromium offers
 * only to extensions. The host loads it over the browser's pipe at the first use, so that it does not delay
 * the start of a session. If the extension's worker ends, the host starts it again.
 */
export class Bridge {
  /**
   * Called for events of the extension. There are no events before the first {@link open} or {@link call},
   * which loads the extension.
   */
  onEvent: ((event: BridgeEvent) => void) | undefined;
  /** Called when a new worker listens after the old worker ended. Events in between were lost. */
  onReopened: (() => void) | undefined;
  #worker: Promise<BridgeWorker> | undefined;
  /** True after a worker ended, until another worker listens. */
  #hasEnded = false;

  constructor(private readonly cdp: CdpConnection) {}

  /** Loads the extension if it is not loaded yet. Resolves when the host can receive events. */
  async open(): Promise<void> {
    await this.#connect();
  }

  /**
   * Calls a function of the worker. Rejects with the error that the function throws, or with CdpError when
   * the worker or the browser ends.
   */
  async call<Name extends keyof BridgeCalls>(name: Name, ...args: BridgeCalls[Name]): Promise<unknown> {
    const worker = await this.#connect();
    return worker.call(name, args);
  }

  #connect(): Promise<BridgeWorker> {
    if (this.#worker) return this.#worker;
    const worker = this.#load();
    this.#worker = worker;
    worker.then(
      () => {
        // The worker may have ended at the same moment. Then the host reports when the next worker listens.
        if (this.#worker !== worker) return;
        const isReopened = this.#hasEnded;
        this.#hasEnded = false;
        if (isReopened) this.onReopened?.();
      },
      () => {
        if (this.#worker === worker) this.#worker = undefined;
      },
    );
    return worker;
  }

  /** Loads the extension. If it is already loaded, restarts it. */
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
    this.#hasEnded = true;
    // If this restart fails, the next call tries again.
    this.#connect().catch(() => undefined);
  }
}
