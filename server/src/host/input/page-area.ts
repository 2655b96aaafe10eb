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
 * Expression that resolves to true if the pointer is over the page. Looks after the page's next frame,
 * because the page handles moves of the pointer immediately before a frame. Looks again after two more
 * frames, in case the move has come later than this question. A page without frames looks after 100 ms.
 */
const HAS_POINTER = `new Promise((answer) => {
  const isHere = () => document.documentElement.matches(':hover');
  let frames = 3;
  const look = () => (isHere() || --frames === 0 ? answer(isHere()) : requestAnimationFrame(look));
  requestAnimationFrame(look);
  setTimeout(() => answer(isHere()), 100);
})`;

/** Converts a position on the screen to CSS pixels of the page without zoom. CDP applies the zoom. */
export function cssPlace(area: PageGeometry, { x, y }: { x: number; y: number }): { x: number; y: number } {
  return { x: (x - area.left) / area.scale, y: (y - area.top) / area.scale };
}

/**
 * Finds the page at a position on the screen. Only pages can scroll by pixels, over CDP, and only they take a
 * stylus. The browser's own interface and its pop-ups (the list of a `select`, menus) react only to events of
 * a mouse.
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

  /**
   * Returns the page that has the display's pointer. Undefined if the pointer is over something else, for
   * example a menu, a dialog or another window. Also undefined if the page does not answer, and for the page
   * of an emulated phone, where the browser turns every press into a touch.
   */
  async underPointer(): Promise<PageArea | undefined> {
    const page = this.pages.isPhone ? undefined : await this.pages.front();
    if (!page || page.inDialog) return undefined;
    const question = { expression: HAS_POINTER, awaitPromise: true, returnByValue: true };
    const [geometry, { result }, popup] = await Promise.all([
      this.pages.geometry(page),
      page.sendUrgent('Runtime.evaluate', question),
      // A page is not told that the pointer is over such a window.
      displayAnswer('QueryPointer', this.#popupUnderPointer(), this.drops),
    ]);
    return result.value === true && popup === false ? { page, ...geometry } : undefined;
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
