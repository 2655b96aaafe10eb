import type { PageDialog } from 'cloud-browser/protocol';
import type { CdpSession } from '../cdp/cdp-session.js';

/** Reason why a page cannot carry out a call: it has a dialog of this type open, or it does not answer. */
export type Obstacle = PageDialog['type'] | 'unresponsive';

/** Observes pages that are about to navigate or close. */
export class LeavingWatch {
  /** Resolves when one of the pages asks its user to confirm leaving the page. */
  readonly asked: Promise<Obstacle>;
  /** Resolves when one of the pages has navigated. */
  readonly left: Promise<void>;
  readonly #stops: (() => void)[] = [];

  constructor(pages: readonly CdpSession[]) {
    let ask: (type: Obstacle) => void = () => undefined;
    let leave: () => void = () => undefined;
    this.asked = new Promise((resolve) => (ask = resolve));
    this.left = new Promise((resolve) => (leave = resolve));
    for (const page of pages)
      this.#stops.push(
        page.on('Page.javascriptDialogOpening', ({ type }) => type === 'beforeunload' && ask(type)),
        page.on('Page.frameNavigated', ({ frame }) => frame.parentId === undefined && leave()),
      );
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }
}

/** Number of open {@link RequestWatch}es of each page. Two calls for one page may run at the same time. */
const watches = new WeakMap<CdpSession, number>();

/**
 * Observes if a page has sent a request for another document. After that, the page cannot block the
 * navigation any more, and the silence of the page means that the web server is slow. The start of the
 * navigation does not prove this, because Chromium reports it before it runs the listeners for
 * `beforeunload`, and such a listener can be an endless loop.
 */
export class RequestWatch {
  isSent = false;
  readonly #stop: () => void;

  constructor(
    private readonly page: CdpSession,
    mainFrame: string | undefined,
  ) {
    watches.set(page, (watches.get(page) ?? 0) + 1);
    page.post('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 });
    // The request for the document of a frame has the id of the new document's loader.
    this.#stop = page.on('Network.requestWillBeSent', ({ requestId, loaderId, frameId }) => {
      if (frameId === mainFrame && requestId === loaderId) this.isSent = true;
    });
  }

  close(): void {
    this.#stop();
    const others = (watches.get(this.page) ?? 1) - 1;
    watches.set(this.page, others);
    if (others === 0) this.page.post('Network.disable', {});
  }
}
