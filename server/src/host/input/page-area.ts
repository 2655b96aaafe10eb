import type { CdpSession } from '../browser/cdp/cdp-session.js';
import type { DropCounter } from '../browser/cdp/drop-counter.js';
import type { PageGeometry, Pages } from '../browser/pages/pages.js';
import type { ClientWindows } from '../display/windows/client-windows.js';
import { request, type XConnection } from '../display/x-client.js';
import { displayAnswer } from './display-answer.js';

/** A page and its position on the screen. */
export interface PageArea extends PageGeometry {
  page: CdpSession;
}

/**
 * Time for which a cached area stays valid after its last use. Pauses within a scroll gesture are shorter, so
 * the host reads the area once for each gesture. The host does not notice a toolbar that appears during the
 * gesture.
 */
const AREA_LIFETIME_MS = 400;

/**
 * Finds the page at a position on the screen. Only pages can scroll by pixels, over CDP. The browser's own
 * interface and its pop-ups (the list of a `select`, menus) react only to events of a mouse.
 */
export class PageAreas {
  #last: { time: number; area: PageArea | undefined; popup: boolean } | undefined;

  constructor(
    private readonly connection: XConnection,
    private readonly pages: Pages,
    private readonly windows: ClientWindows,
    private readonly drops: DropCounter,
  ) {}

  /**
   * Returns the page under the display's pointer, which is at the vertical position `y`. Undefined if no page
   * is there, or if the page does not report its position.
   */
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

  /** Forgets the cached area. Call it when pages may have moved on the screen. */
  forget(): void {
    this.#last = undefined;
  }

  async #frontArea(): Promise<PageArea | undefined> {
    const page = await this.pages.front();
    if (!page) return undefined;
    const geometry = await this.pages.geometry(page).catch(() => undefined);
    return geometry ? { page, ...geometry } : undefined;
  }

  /** True if the window under the pointer is a menu or a list, which the window manager does not manage. */
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
