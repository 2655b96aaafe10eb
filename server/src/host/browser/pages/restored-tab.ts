import type { CdpSession } from '../cdp/cdp-session.js';
import type { Arrival } from '../cdp/targets.js';

/** What stands in the place of the page: long enough to take the scroll position that Chromium restores, which would be lost otherwise. */
const EMPTY_PAGE = '<!doctype html><html style="width:999999px;height:9999999px">';
/** The browser has the answer already; this allows for a process to be started on a machine that is busy. */
const EMPTY_TIMEOUT_MS = 10_000;

/**
 * A tab that Chromium restores. It has no process until its page is loaded, so what sets a layout or runs before scripts comes too late
 * for that. So the page's own request is answered here by an empty page; when the tab is prepared, the page is loaded in its place, which
 * keeps the tab's history. Chromium loads tabs that are not in front one by one, as ever; a server gets one request for each.
 */
export class RestoredTab implements Arrival {
  readonly ready: Promise<void>;

  constructor(
    private readonly page: CdpSession,
    mainFrame: string,
  ) {
    // A service worker would answer before us. Nothing of what is told of the network is kept.
    page.post('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 });
    page.post('Network.setBypassServiceWorker', { bypass: true });
    page.post('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document' }] });
    this.ready = new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      page.on('Fetch.requestPaused', ({ requestId }) => {
        answer(page, requestId);
        timer ??= setTimeout(resolve, EMPTY_TIMEOUT_MS);
      });
      const done = () => {
        clearTimeout(timer);
        resolve();
      };
      page.on('Page.frameStoppedLoading', ({ frameId }) => {
        if (frameId === mainFrame) done();
      });
      void page.ended.then(done);
    });
  }

  go(): void {
    this.page.post('Fetch.disable', {});
    this.page.post('Network.setBypassServiceWorker', { bypass: false });
    this.page.post('Network.disable', {});
    this.page.post('Page.reload', {});
  }
}

function answer(page: CdpSession, requestId: string): void {
  page.post('Fetch.fulfillRequest', {
    requestId,
    responseCode: 200,
    responseHeaders: [
      { name: 'Content-Type', value: 'text/html' },
      { name: 'Cache-Control', value: 'no-store' },
    ],
    body: Buffer.from(EMPTY_PAGE).toString('base64'),
  });
}
