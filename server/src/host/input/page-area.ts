import type { CdpSession } from '../browser/cdp/cdp-session.js';
import type { DropCounter } from '../browser/cdp/drop-counter.js';
import type { PageGeometry, Pages } from '../browser/pages/pages.js';
import type { ClientWindows } from '../display/client-windows.js';
import { request, type XConnection } from '../display/x-client.js';
import { displayAnswer } from './display-answer.js';

/** A page and where it is on the screen. */
export interface PageArea extends PageGeometry {
  page: CdpSession;
}

/** Long enough for a scroll gesture, short enough that a bar that appears or goes is noticed. */
const AREA_LIFETIME_MS = 400;

/**
 * Which page is at a place of the screen. Scrolling by pixels can only be given to pages, over CDP; the browser's own
 * interface and its pop-ups (the list of a `select`, menus) take what a mouse could do.
 */
export class PageAreas {
  #last: { time: number; area: PageArea | undefined; popup: boolean } | undefined;

  constructor(
    private readonly connection: XConnection,
    private readonly pages: Pages,
    private readonly windows: ClientWindows,
    private readonly drops: DropCounter,
  ) {}

  /** The page at this place, under the display's pointer; undefined when something else is there. */
  async at(y: number): Promise<PageArea | undefined> {
    const now = performance.now();
    if (!this.#last || now - this.#last.time > AREA_LIFETIME_MS) {
      const popupAsked = displayAnswer('QueryPointer', this.#popupUnderPointer(), this.drops);
      const [area, popup = false] = await Promise.all([this.#frontArea(), popupAsked]);
      this.#last = { time: now, area, popup };
    } else {
      this.#last.time = now;
    }
    const { area, popup } = this.#last;
    return area && !popup && y >= area.top ? area : undefined;
  }

  /** Everything may be somewhere else now. */
  forget(): void {
    this.#last = undefined;
  }

  async #frontArea(): Promise<PageArea | undefined> {
    const page = await this.pages.front();
    if (!page) return undefined;
    const geometry = await this.pages.geometry(page).catch(() => undefined);
    return geometry ? { page, ...geometry } : undefined;
  }

  /** A window that the window manager does not manage is a menu or a list. */
  async #popupUnderPointer(): Promise<boolean> {
    const { x, root } = this.connection;
    const { child } = await request<{ child: number }>((reply) => x.QueryPointer(root, reply));
    if (child === 0) return false;
    const [list, tree] = await Promise.all([
      this.windows.list(),
      request<{ children: number[] }>((reply) => x.QueryTree(child, reply)),
    ]).catch(() => [[] as number[], { children: [] as number[] }] as const);
    const managed = new Set(list);
    return !managed.has(child) && !tree.children.some((window) => managed.has(window));
  }
}
