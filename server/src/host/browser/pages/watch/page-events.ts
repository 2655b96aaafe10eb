import type { CdpSession } from '../../cdp/cdp-session.js';

/** A step in the history of a page, or the crash of its process. */
export type PageEvent = 'back' | 'forward' | 'reload' | 'page_crashed';

/** History of a page at the last request to the browser. */
interface KnownHistory {
  target: string;
  /** Ids of its entries in their order. */
  entries: readonly number[];
  /** Id of the shown entry. */
  shown: number | undefined;
  /** True while a request for the history waits for its answer. */
  asking: boolean;
  /** True if the history may have changed since the request in progress. */
  changed: boolean;
}

/**
 * Reports steps in the history of pages, and crashes of pages. This class sends requests to the browser only
 * while {@link onRecorded} is set.
 */
export class PageEvents {
  #onRecorded: ((tab: string, event: PageEvent) => void) | undefined;
  readonly #pages = new Map<CdpSession, KnownHistory>();

  /** Sets the receiver of the events. `tab` is the id of the page's target. */
  set onRecorded(listener: ((tab: string, event: PageEvent) => void) | undefined) {
    this.#onRecorded = listener;
    for (const [page, known] of this.#pages) {
      // Forgets the shown entry, because the history may have changed since the last request.
      known.shown = undefined;
      if (listener) void this.#look(page);
    }
  }

  /** Follows a page. The domain `Page` must be enabled. */
  follow(page: CdpSession, target: string): void {
    this.#pages.set(page, { target, entries: [], shown: undefined, asking: false, changed: false });
    void page.ended.then(() => this.#pages.delete(page));
    page.on('Page.frameStartedNavigating', ({ frameId, navigationType }) => {
      // The target of a page has the same id as the page's main frame.
      if (frameId === target && navigationType.startsWith('reload')) this.#onRecorded?.(target, 'reload');
    });
    // Looks after each of these events, because the first one may arrive before the browser has changed the
    // history.
    const look = () => void this.#look(page);
    page.on('Page.frameNavigated', look);
    page.on('Page.navigatedWithinDocument', look);
    page.on('Page.frameStoppedLoading', look);
  }

  /** Reports the crash of a page. */
  crashed(target: string): void {
    this.#onRecorded?.(target, 'page_crashed');
  }

  /** Looks for a step in the history of a page that now shows another address. */
  addressChanged(target: string): void {
    for (const [page, known] of this.#pages) if (known.target === target) void this.#look(page);
  }

  /** Asks for the history. One request at a time, because a page can change its history in a loop. */
  async #look(page: CdpSession): Promise<void> {
    const known = this.#pages.get(page);
    if (!known || !this.#onRecorded) return;
    known.changed = true;
    if (known.asking) return;
    known.asking = true;
    while (known.changed) {
      known.changed = false;
      await this.#compare(page, known);
    }
    known.asking = false;
  }

  async #compare(page: CdpSession, known: KnownHistory): Promise<void> {
    const history = await page.send('Page.getNavigationHistory', {}).catch(() => undefined);
    const now = history?.entries.at(history.currentIndex)?.id;
    if (!history || now === undefined) return;
    const { target, entries, shown } = known;
    known.entries = history.entries.map(({ id }) => id);
    known.shown = now;
    // An entry that the history did not have before is a new page, not a step.
    if (shown === undefined || shown === now || !entries.includes(now)) return;
    this.#onRecorded?.(target, entries.indexOf(now) < entries.indexOf(shown) ? 'back' : 'forward');
  }
}
