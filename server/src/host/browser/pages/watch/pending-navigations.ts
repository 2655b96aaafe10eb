import type { CdpSession } from '../../cdp/cdp-session.js';

/**
 * Reason why a navigation has ended without a new document. `download`: the address is a file, which the
 * browser downloads. `no_document`: the web server sent no document, or the navigation was cancelled.
 */
export type UnchangedReason = 'download' | 'no_document';

/** A navigation of a page's main frame to another document. */
export interface Navigation {
  /** Undefined while the navigation is pending, and if the page shows the new document. */
  readonly unchanged: UnchangedReason | undefined;
}

interface Followed extends Navigation {
  unchanged: UnchangedReason | undefined;
  readonly ended: Promise<void>;
  readonly end: () => void;
}

/**
 * Tracks which pages navigate and still show the previous document, for example because the web server is
 * slow. Chromium delays almost all commands to such a page until the navigation ends. So the page answers
 * nothing, although it does not hang.
 */
export class PendingNavigations {
  readonly #pages = new Map<CdpSession, Followed>();
  readonly #newest = new WeakMap<CdpSession, Followed>();

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
      if (frame.parentId === undefined) this.#ended(page, undefined);
    });
    // Arrives before or after the end of the navigation.
    page.on('Page.downloadWillBegin', ({ frameId }) => {
      const newest = this.#newest.get(page);
      const isMeant = this.#pages.has(page) || newest?.unchanged === 'no_document';
      if (frameId === mainFrame && newest && isMeant) newest.unchanged = 'download';
    });
    // The navigation was cancelled, became a download, or got an answer without a document. A navigation that
    // has failed shows the document of an error.
    page.on('Page.frameStoppedLoading', ({ frameId }) => {
      if (frameId === mainFrame) this.#ended(page, this.#pages.get(page)?.unchanged ?? 'no_document');
    });
    void page.ended.then(() => this.#ended(page, undefined));
  }

  /**
   * Returns a promise that resolves when the pending navigation of a page ends. Undefined if the page has no
   * pending navigation.
   */
  of(page: CdpSession): Promise<void> | undefined {
    return this.#pages.get(page)?.ended;
  }

  /** Returns the navigation of a page that began last. Each navigation is another object. */
  newest(page: CdpSession): Navigation | undefined {
    return this.#newest.get(page);
  }

  #started(page: CdpSession): void {
    const replaced = this.#pages.get(page);
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    // Those who wait for a navigation also wait for the one that replaces it.
    const navigation = { unchanged: undefined, ended, end, ...(replaced && endOf(replaced)) };
    this.#pages.set(page, navigation);
    this.#newest.set(page, navigation);
  }

  #ended(page: CdpSession, unchanged: UnchangedReason | undefined): void {
    const pending = this.#pages.get(page);
    if (!pending) return;
    pending.unchanged = unchanged;
    pending.end();
    this.#pages.delete(page);
  }
}

function endOf({ ended, end }: Followed): Pick<Followed, 'ended' | 'end'> {
  return { ended, end };
}
