import type { CdpSession } from '../../cdp/cdp-session.js';

/**
 * Tracks which pages have no process, because it crashed or was ended. Chromium shows an error page instead,
 * and answers no commands to the page until it is loaded again.
 */
export class CrashedPages {
  readonly #pages = new Set<CdpSession>();

  /** Follows a page. The domain `Page` must be enabled. */
  follow(page: CdpSession): void {
    page.on('Inspector.targetCrashed', () => this.#pages.add(page));
    page.on('Inspector.targetReloadedAfterCrash', () => this.#pages.delete(page));
    page.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined) this.#pages.delete(page);
    });
    void page.ended.then(() => this.#pages.delete(page));
  }

  /** True if the page has crashed and was not loaded again. */
  has(page: CdpSession): boolean {
    return this.#pages.has(page);
  }
}
