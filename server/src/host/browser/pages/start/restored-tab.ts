import type { CdpSession } from '../../cdp/cdp-session.js';
import type { Arrival } from '../../cdp/targets.js';

/**
 * Placeholder for the page. It is large enough to keep the scroll position that Chromium restores, which
 * would be lost otherwise.
 */
const EMPTY_PAGE = '<!doctype html><html style="width:999999px;height:9999999px">';
/**
 * Timeout for loading the placeholder. The browser already has the content of the placeholder. But it may
 * have to start a process first, which takes long on a busy machine.
 */
const EMPTY_TIMEOUT_MS = 10_000;

/**
 * A tab that Chromium restores. It has no process until its page is loaded, so the host could not apply
 * layout settings and early scripts in time. So the host first answers the page's request with an empty page.
 * When the tab is prepared, the host loads the real page instead, and the tab keeps its history. Chromium
 * loads background tabs one by one, as usual. A web server receives one request per tab.
 */
export class RestoredTab implements Arrival {
  readonly ready: Promise<void>;

  constructor(
    private readonly page: CdpSession,
    mainFrame: string,
  ) {
    // Disables service workers, which would answer before the host. Keeps no network data.
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
