import { withTimeout } from '../../../platform/time/timeout.js';
import type { CdpSession } from '../cdp/cdp-session.js';

/** Timeout for a page to show the document that its web server has sent. A page in a loop never does. */
const SHOW_TIMEOUT_MS = 2_000;
/** Number of open {@link RequestWatch}es of each page. Two calls for one page may run at the same time. */
const watches = new WeakMap<CdpSession, number>();

/**
 * Observes the request for another document. Such a request is sent after the listeners for `beforeunload`
 * have run. So the silence of a page without an answered request means that the web server is slow. The start
 * of the navigation does not prove this, because Chromium reports it before it runs these listeners, and such
 * a listener can be an endless loop.
 */
export class RequestWatch {
  #isSent = false;
  #isAnswered = false;
  readonly #stops: readonly (() => void)[];

  constructor(
    private readonly page: CdpSession,
    mainFrame: string | undefined,
  ) {
    watches.set(page, (watches.get(page) ?? 0) + 1);
    page.post('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 });
    // The request for the document of a frame has the id of the new document's loader.
    const isMeant = (event: { requestId: string; loaderId: string; frameId?: string }) =>
      event.frameId === mainFrame && event.requestId === event.loaderId;
    this.#stops = [
      page.on('Network.requestWillBeSent', (event) => {
        if (isMeant(event)) this.#isSent = true;
      }),
      page.on('Network.responseReceived', (event) => {
        if (isMeant(event)) this.#isAnswered = true;
      }),
    ];
  }

  /**
   * Resolves to true if a page that does not answer waits for its web server, or shows the new document soon.
   * Resolves to false if the earlier page blocks the new document. Chromium often shows the new document in
   * the same process, so an endless loop of the earlier page blocks it.
   *
   * @param left resolves when the page shows the new document
   */
  async isSlow(left: Promise<void>): Promise<boolean> {
    if (!this.#isSent) return false;
    if (!this.#isAnswered) return true;
    const isShown = left.then(() => true);
    return withTimeout(isShown, SHOW_TIMEOUT_MS, () => false);
  }

  close(): void {
    for (const stop of this.#stops) stop();
    const others = (watches.get(this.page) ?? 1) - 1;
    watches.set(this.page, others);
    if (others === 0) this.page.post('Network.disable', {});
  }
}
