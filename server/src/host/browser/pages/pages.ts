import type { AndroidEmulation } from './android-emulation.js';
import { CdpError, type CdpConnection, type CdpEvent } from '../cdp/cdp-connection.js';
import { PinchZoom } from './pinch-zoom.js';

/** A page that shows a dialog of its own answers nothing until that is closed, and input must not wait for it. */
const PATIENCE_MS = 250;
/** Display pixels per CSS pixel that one sees: zoom of the browser, and of fingers. */
const SCALE = 'devicePixelRatio * visualViewport.scale';

/** A page on the screen. */
export interface PageGeometry {
  /** Its top left corner, in pixels of the screen. */
  left: number;
  top: number;
  /** Pixels of the screen per CSS pixel. */
  scale: number;
}

interface Page {
  targetId: string;
  /** CDP session; the page can be driven through it. */
  sessionId: string;
  url: string;
  /** Settled when the page shows itself as it should. */
  dressed: Promise<void>;
}

/** What is done to every page that is opened. */
export interface PageSetup {
  disguise: AndroidEmulation | undefined;
  /** Two fingers zoom. */
  pinch: boolean;
}

/**
 * The pages that the browser has open, and which of them is in front. Attached over CDP so that text and touches can be
 * given to a page, which X11 cannot carry.
 */
export class Pages {
  readonly #pages = new Map<string, Page>();
  readonly #zoom: PinchZoom | undefined;
  /** Called when a page's renderer died; the browser shows its own error page meanwhile. */
  onCrash: ((sessionId: string) => void) | undefined;

  private constructor(
    private readonly cdp: CdpConnection,
    private readonly manners: PageSetup,
  ) {
    if (manners.pinch) this.#zoom = new PinchZoom(cdp);
    cdp.events.on('event', (event) => this.#onEvent(event));
  }

  /** Follows all pages; resolves when the first one is known. */
  static async follow(cdp: CdpConnection, manners: PageSetup): Promise<Pages> {
    const pages = new Pages(cdp, manners);
    const { disguise } = manners;
    await cdp.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: disguise !== undefined,
      flatten: true,
      filter: [...(disguise?.targets ?? [{ type: 'page' }]), { exclude: true }],
    });
    return pages;
  }

  /** Opens an address in the page in front, as if it had been the first one. */
  async open(url: string): Promise<void> {
    const page = await this.front();
    if (!page) return;
    // A page takes what it was told along to another process only when it has answered.
    await this.#pages.get(page)?.dressed;
    await this.cdp.send('Page.navigate', { url }, page);
    this.cdp.post('Page.resetNavigationHistory', {}, page);
  }

  /** Loads all pages again. */
  async reload(): Promise<void> {
    const pages = [...this.#pages.values()];
    await Promise.all(
      pages.map(async ({ sessionId, dressed }) => {
        await dressed;
        await this.cdp.send('Page.reload', {}, sessionId);
      }),
    );
  }

  /** The page that a person sees: the one that is visible, the newest when that is not clear. */
  async front(): Promise<string | undefined> {
    const sessions = [...this.#pages.values()].reverse().map((page) => page.sessionId);
    if (sessions.length < 2) return sessions[0];
    const visible = await Promise.all(
      sessions.map((session) =>
        this.#evaluate(session, 'document.visibilityState === "visible"').catch(() => false),
      ),
    );
    return sessions[visible.indexOf(true)] ?? sessions[0];
  }

  /** Undoes what fingers zoomed in the page in front, where they can. */
  async resetZoom(): Promise<void> {
    if (!this.#zoom) return;
    const page = await this.front();
    if (page) this.#zoom.reset(page);
  }

  /** Whether the page has the keyboard, rather than the address bar or another part of the browser. */
  async hasFocus(sessionId: string): Promise<boolean> {
    return (await this.#evaluate(sessionId, 'document.hasFocus()')) === true;
  }

  /** Where the page is on the screen. Page zoom is in `devicePixelRatio`; the display has none. */
  async geometry(sessionId: string): Promise<PageGeometry> {
    if (this.manners.disguise) return this.#geometryOfPhone(sessionId);
    const expression = `[screenX, screenY + outerHeight - Math.round(innerHeight * devicePixelRatio), ${SCALE}]`;
    const [left, top, scale] = (await this.#evaluate(sessionId, expression)) as [number, number, number];
    return { left, top: Math.max(0, top), scale };
  }

  /** To a page in disguise its window is all page. The window itself knows better, and pages are at its lower end. */
  async #geometryOfPhone(sessionId: string): Promise<PageGeometry> {
    const [{ bounds }, page] = await Promise.all([
      this.cdp.send('Browser.getWindowForTarget', {}, sessionId),
      this.#evaluate(sessionId, `[visualViewport.height, ${SCALE}]`),
    ]);
    const { left = 0, top = 0, height = 0 } = bounds as { left?: number; top?: number; height?: number };
    const [visible, scale] = page as [number, number];
    return { left, top: Math.max(0, top + height - Math.round(visible * scale)), scale };
  }

  async #evaluate(sessionId: string, expression: string): Promise<unknown> {
    // A world of its own would be safer against pages that redefine these, but it costs a round trip for each page;
    // all that a page can reach by lying here is to get text that its user typed anyway.
    const asked = this.cdp.send('Runtime.evaluate', { expression, returnByValue: true }, sessionId);
    let patience: NodeJS.Timeout | undefined;
    const given = new Promise<never>((_resolve, reject) => {
      patience = setTimeout(() => reject(new CdpError('Runtime.evaluate', 'the page is busy')), PATIENCE_MS);
    });
    const answer = await Promise.race([asked, given]).finally(() => clearTimeout(patience));
    return (answer['result'] as { value?: unknown } | undefined)?.value;
  }

  async #dress(sessionId: string, type: string): Promise<void> {
    await this.manners.disguise?.dress(sessionId, type);
    this.cdp.post('Runtime.runIfWaitingForDebugger', {}, sessionId);
  }

  #onEvent(event: CdpEvent): void {
    const { method, params } = event;
    if (method === 'Target.attachedToTarget') {
      const info = params['targetInfo'] as { targetId: string; url: string; type: string };
      const sessionId = params['sessionId'] as string;
      const dressed = this.manners.disguise ? this.#dress(sessionId, info.type) : Promise.resolve();
      // The browser's own bubbles are pages too, by type alone.
      if (info.type !== 'page' || info.url.startsWith('chrome://omnibox')) return;
      // A page's target has the name of its main frame.
      this.#zoom?.follow(sessionId, info.targetId);
      this.#pages.set(sessionId, { targetId: info.targetId, sessionId, url: info.url, dressed });
    } else if (method === 'Target.detachedFromTarget') {
      const sessionId = params['sessionId'] as string;
      this.#pages.delete(sessionId);
      this.#zoom?.forget(sessionId);
    } else if (method === 'Inspector.targetCrashed' && event.sessionId) {
      this.onCrash?.(event.sessionId);
    }
  }
}
