import type { CdpConnection, CdpEvent } from '../cdp/cdp-connection.js';

/** Chromium brings every scale into the page's own limits: this is the smallest that the page has. */
const SMALLEST = 0.01;

/**
 * Undoes what two fingers zoomed. Chromium itself keeps their zoom until fingers take it back, over a reload too; people
 * expect Escape and a reload to bring them the page as it was.
 */
export class PinchZoom {
  /** Main frames, by the CDP sessions of their pages. */
  readonly #frames = new Map<string, string>();
  /** Pages that are being loaded again. */
  readonly #reloading = new Set<string>();

  constructor(private readonly cdp: CdpConnection) {
    cdp.events.on('event', (event) => this.#onEvent(event));
  }

  /** To be called for every page that is opened. */
  follow(page: string, mainFrame: string): void {
    this.#frames.set(page, mainFrame);
    this.cdp.post('Page.enable', {}, page);
  }

  /** To be called when a page is gone. */
  forget(page: string): void {
    this.#frames.delete(page);
    this.#reloading.delete(page);
  }

  /** Shows all of the page again. */
  reset(page: string): void {
    this.cdp.post('Emulation.setPageScaleFactor', { pageScaleFactor: SMALLEST }, page);
  }

  #onEvent({ method, params, sessionId: page }: CdpEvent): void {
    if (page === undefined || !this.#frames.has(page)) return;
    if (method === 'Page.frameStartedNavigating' && params['frameId'] === this.#frames.get(page)) {
      // `reload` or `reloadBypassingCache`.
      if (String(params['navigationType']).startsWith('reload')) this.#reloading.add(page);
      else this.#reloading.delete(page);
    } else if (method === 'Page.domContentEventFired' && this.#reloading.has(page)) {
      this.reset(page);
    } else if (method === 'Page.loadEventFired' && this.#reloading.delete(page)) {
      // Chromium restores the zoom when the page is first laid out: that may be before or after its content was read.
      this.reset(page);
    }
  }
}
