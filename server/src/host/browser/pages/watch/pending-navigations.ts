import type { CdpSession } from '../../cdp/cdp-session.js';

/** A navigation of a page's main frame to another document. */
interface Pending {
  readonly ended: Promise<void>;
  readonly end: () => void;
}

/**
 * Tracks which pages navigate and still show the previous document, for example because the web server is
 * slow. Chromium delays almost all commands to such a page until the navigation ends. So the page answers
 * nothing, although it does not hang.
 */
export class PendingNavigations {
  readonly #pages = new Map<CdpSession, Pending>();

  /**
   * Follows a page. The domain `Page` must be enabled.
   *
   * @param mainFrame id of the page's main frame, which is also the id of its target
   */
  follow(page: CdpSession, mainFrame: string): void {
    page.on('Page.frameStartedNavigating', ({ frameId, navigationType }) => {
      if (frameId === mainFrame && !/sameDocument$/i.test(navigationType)) this.#started(page);
    });
    page.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined) this.#ended(page);
    });
    // The navigation has failed, was cancelled, or became a download.
    page.on('Page.frameStoppedLoading', ({ frameId }) => {
      if (frameId === mainFrame) this.#ended(page);
    });
    void page.ended.then(() => this.#ended(page));
  }

  /**
   * Returns a promise that resolves when the pending navigation of a page ends. Undefined if the page has no
   * pending navigation.
   */
  of(page: CdpSession): Promise<void> | undefined {
    return this.#pages.get(page)?.ended;
  }

  #started(page: CdpSession): void {
    if (this.#pages.has(page)) return;
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    this.#pages.set(page, { ended, end });
  }

  #ended(page: CdpSession): void {
    this.#pages.get(page)?.end();
    this.#pages.delete(page);
  }
}
