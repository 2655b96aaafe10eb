import type { CdpConnection } from '../cdp/cdp-connection.js';
import { CdpError, type CdpSession } from '../cdp/cdp-session.js';
import { followTargets, type AttachedTarget } from '../cdp/targets.js';
import type { AndroidEmulation } from './android-emulation.js';
import { Dialogs } from './dialogs.js';
import type { FieldWatch } from '../focus/field-watch.js';
import type { FocusWatch } from '../focus/focus-watch.js';
import { PointerLockWatch } from './pointer-lock-watch.js';
import { guardPage } from './page-guard.js';
import { refusePermissions } from './kiosk-permissions.js';
import type { BrowserFiles } from '../files/browser-files.js';
import type { RestoredTabs } from './restored-tabs.js';
import { resetPinchZoom, resetPinchZoomOnReload } from './pinch-zoom.js';

/** Display pixels per CSS pixel that one sees: zoom of the browser, and of fingers. */
const SCALE = 'devicePixelRatio * visualViewport.scale';

/** An address that has no cookies; RFC 6761. */
const NO_COOKIES = 'https://cookies.invalid/';
/** Far beyond what a watchdog waits: it is the one who decides. */
const ANSWER_TIMEOUT_MS = 60_000;

/** A page on the screen. */
export interface PageGeometry {
  /** Its top left corner, in pixels of the screen. */
  left: number;
  top: number;
  /** Pixels of the screen per CSS pixel. */
  scale: number;
}

/** What is done to every page that is opened. */
export interface PageSetup {
  emulation: AndroidEmulation | undefined;
  /** What knows where the focus is, in sessions that need it. */
  focus?: FocusWatch | undefined;
  /** What knows which field has the focus, where somebody wants to know. */
  fields?: FieldWatch | undefined;
  /** Two fingers zoom. */
  pinch: boolean;
  /** What pages want with files. */
  files?: Pick<BrowserFiles, 'follow'>;
  /** There is nothing but the page: no shortcut shows anything of the browser's own. */
  kiosk: boolean;
  /** The tabs that come back with the first window, when they do not come at the browser's start. */
  restored?: RestoredTabs | undefined;
  /** Pages that are open at once. */
  maxPages: number;
}

/**
 * The pages that the browser has open, and which of them is in front. Attached over CDP so that text and touches can be
 * given to a page, which X11 cannot carry.
 */
export class Pages {
  /** In the order in which they were opened, with what resolves when each runs. */
  readonly #pages = new Map<CdpSession, Promise<void>>();
  /** Called when the last page was closed in a browser that goes on. */
  onLastClosed: () => void = () => undefined;
  /** Called with the target of a page that was opened beside others. */
  onOpened: (target: string) => void = () => undefined;
  /** Called with the id of a frame that has a process of its own. */
  onFrame: (id: string) => void = () => undefined;
  /** Called when a page's process has ended; the browser shows that in the page's place. */
  onCrashed: () => void = () => undefined;
  /** Called when a page was closed because as many as may be are open. */
  onRefused: () => void = () => undefined;
  /** Pixels of the display for one CSS pixel of a page that is not zoomed. */
  pixelRatio = 1;
  readonly #targets = new Map<string, CdpSession>();
  readonly #frames = new Map<string, CdpSession>();
  /** What the pages ask people. */
  readonly dialogs = new Dialogs();
  /** Whether one of them has locked the pointer. */
  readonly pointerLock = new PointerLockWatch();

  private constructor(private readonly setup: PageSetup) {}

  /** Follows all pages; resolves when the first one is known. */
  static async follow(cdp: CdpConnection, setup: PageSetup): Promise<Pages> {
    const pages = new Pages(setup);
    const preparations = [setup.emulation, setup.focus].filter((preparation) => preparation !== undefined);
    await followTargets(
      cdp,
      preparations,
      (target) => pages.#add(target),
      (session, info) => (isPage(info) ? setup.restored?.meet(session, info) : undefined),
    );
    return pages;
  }

  /** The frames that have a process of their own, of all pages. */
  get frames(): CdpSession[] {
    return [...this.#frames.values()];
  }

  /** One of these by the browser's id of it. */
  frame(id: string): CdpSession | undefined {
    return this.#frames.get(id);
  }

  /** Whether the browser shows itself to pages as one of a phone. */
  get isPhone(): boolean {
    return this.setup.emulation !== undefined;
  }

  /** Whether there is a page. */
  hasAny(): boolean {
    return this.#pages.size > 0;
  }

  /** How many pages may be open, when so many are. */
  get full(): number | undefined {
    const { maxPages, restored } = this.setup;
    // The empty one goes as soon as the others are there.
    const limit = restored?.hasEmpty ? maxPages + 1 : maxPages;
    return this.#pages.size >= limit ? maxPages : undefined;
  }

  /** Opens an address in the page in front, as if it had been the first one. */
  async open(url: string): Promise<void> {
    const page = await this.front();
    if (!page) return;
    // A page takes what it was told along to another process only when it has answered.
    await this.#pages.get(page);
    await page.send('Page.navigate', { url });
    page.post('Page.resetNavigationHistory', {});
  }

  /** The page of a target; undefined when it is gone, or none that people see. */
  ofTarget(id: string): CdpSession | undefined {
    return this.#targets.get(id);
  }

  /** The page that a person sees: the newest that is visible; when none says so, the newest that says nothing. */
  async front(): Promise<CdpSession | undefined> {
    const pages = [...this.#pages.keys()].reverse();
    if (pages.length < 2) return pages[0];
    const asked = pages.map((page) => ({
      page,
      visible: ask(page, 'document.visibilityState === "visible"').catch(() => undefined),
    }));
    let silent: CdpSession | undefined;
    for (const { page, visible } of asked) {
      const answer = await visible;
      if (answer === true) return page;
      if (answer === undefined) silent ??= page;
    }
    return silent ?? pages[0];
  }

  /** Closes the page in front, unless it is the oldest: that one, or another, is then in front. It may ask its user first. */
  async closeOpened(): Promise<void> {
    const [oldest] = this.#pages.keys();
    const page = await this.front();
    if (page && page !== oldest) page.post('Page.close', {});
  }

  /** Undoes what fingers zoomed in the page in front, where they can. */
  async resetZoom(): Promise<void> {
    const page = this.setup.pinch ? await this.front() : undefined;
    if (page) resetPinchZoom(page);
  }

  /** Resolves when the browser's network service has answered: it keeps the cookies. Without a page nothing is loaded. */
  async networkAnswers(): Promise<void> {
    const [page] = this.#pages.keys();
    await page?.send('Network.getCookies', { urls: [NO_COOKIES] }, ANSWER_TIMEOUT_MS);
  }

  /** Whether the page has the keyboard, rather than the address bar or another part of the browser. */
  async hasFocus(page: CdpSession): Promise<boolean> {
    return (await ask(page, 'document.hasFocus()')) === true;
  }

  /** Where the page is on the screen. Page zoom is in `devicePixelRatio`, and not in what a page knows of its window. */
  async geometry(page: CdpSession): Promise<PageGeometry> {
    const { pixelRatio } = this;
    if (this.setup.emulation) return geometryOfPhone(page, pixelRatio);
    const expression = `[screenX, screenY + outerHeight, Math.round(innerHeight * devicePixelRatio), ${SCALE}]`;
    const [left = 0, end = 0, height = 0, scale = 1] = await askNumbers(page, expression);
    return { left: left * pixelRatio, top: topOf(end * pixelRatio, height), scale };
  }

  #add({ session, info, ready }: AttachedTarget): void {
    guardPage(session, this.setup.kiosk);
    if (info.type === 'page' || info.type === 'iframe') {
      this.setup.files?.follow(session);
      this.pointerLock.follow(session);
    }
    if (info.type === 'iframe') {
      const { targetId } = info;
      this.#frames.set(targetId, session);
      void session.ended.then(() => {
        if (this.#frames.get(targetId) === session) this.#frames.delete(targetId);
      });
      this.onFrame(targetId);
    }
    if (isPage(info) || info.type === 'iframe') this.setup.fields?.follow(session, info.type);
    if (!isPage(info)) return;
    if (this.full !== undefined) {
      session.post('Page.close', {});
      this.onRefused();
      return;
    }
    const isFirst = !this.hasAny();
    this.#pages.set(session, ready);
    this.#targets.set(info.targetId, session);
    session.on('Inspector.targetCrashed', () => this.onCrashed());
    void session.ended.then((reason) => {
      this.#pages.delete(session);
      this.#targets.delete(info.targetId);
      if (reason === 'detached' && !this.hasAny()) this.onLastClosed();
    });
    if (this.setup.kiosk) refusePermissions(session);
    this.dialogs.follow(session);
    // A page's target has the name of its main frame.
    if (this.setup.pinch) resetPinchZoomOnReload(session, info.targetId);
    if (!isFirst && !this.setup.restored?.has(info.targetId)) this.onOpened(info.targetId);
  }
}

/** The browser's own bubbles are pages too, by type alone. */
function isPage({ type, url }: AttachedTarget['info']): boolean {
  return type === 'page' && !url.startsWith('chrome://omnibox');
}

/** To an emulated phone its window is all page. The window itself knows better, and pages are at its lower end. */
async function geometryOfPhone(page: CdpSession, pixelRatio: number): Promise<PageGeometry> {
  const [{ bounds }, [visible = 0, scale = 1]] = await Promise.all([
    // Answered by the browser, which says nothing about the page.
    page.send('Browser.getWindowForTarget', {}),
    askNumbers(page, `[visualViewport.height, ${SCALE}]`),
  ]);
  const { left = 0, top = 0, height = 0 } = bounds;
  const end = (top + height) * pixelRatio;
  return { left: left * pixelRatio, top: topOf(end, Math.round(visible * scale)), scale };
}

/** Of a page that ends there. Windows are told in whole CSS pixels, so what is less than one of them above the screen is none. */
function topOf(end: number, height: number): number {
  return Math.max(0, end - height);
}

/** A page can answer whatever it likes. */
async function askNumbers(page: CdpSession, expression: string): Promise<number[]> {
  const answer = await ask(page, expression);
  const isNumber = (value: unknown): value is number => Number.isFinite(value);
  if (!Array.isArray(answer) || !answer.every(isNumber)) throw new Error('The page answered no numbers.');
  return answer;
}

async function ask(page: CdpSession, expression: string): Promise<unknown> {
  if (page.inDialog) throw new CdpError('Runtime.evaluate', 'dialog');
  // A world of its own would be safer against pages that redefine these, but it costs a round trip for each page;
  // all that a page can reach by lying here is to get text that its user typed anyway.
  const { result } = await page.sendUrgent('Runtime.evaluate', { expression, returnByValue: true });
  return result.value;
}
