import type { CdpConnection } from '../cdp/cdp-connection.js';
import type { CdpSession } from '../cdp/cdp-session.js';
import { followTargets, type AttachedTarget } from '../cdp/targets.js';
import { askPage } from './ask-page.js';
import { EmulatedFocus } from './emulation/emulated-focus.js';
import type { AndroidEmulation } from './emulation/android-emulation.js';
import { Dialogs } from './dialogs.js';
import type { FieldWatch } from '../focus/field-watch.js';
import type { FocusWatch } from '../focus/focus-watch.js';
import { geometryOf, geometryOfPhone, type PageGeometry } from './page-geometry.js';
import { CrashedPages } from './watch/crashed-pages.js';
import { PageEvents } from './watch/page-events.js';
import { PendingNavigations } from './watch/pending-navigations.js';
import { PointerLockWatch } from './watch/pointer-lock-watch.js';
import { guardPage } from './guard/page-guard.js';
import { leaveBrowserPages } from './guard/kiosk-addresses.js';
import { refusePermissions } from './guard/refused-permissions.js';
import type { BrowserFiles } from '../files/browser-files.js';
import { firstEntry, forgetEmptyPage } from './start/forget-empty-page.js';
import type { RestoredTabs } from './start/restored-tabs.js';
import { resetPinchZoom, resetPinchZoomOnReload } from './emulation/pinch-zoom.js';

export type { PageGeometry };

/** Least time between two notices about links that would start a program. Milliseconds. */
const LINK_INTERVAL_MS = 2_000;

/** Settings and services for every page that is opened. */
export interface PageSetup {
  emulation: AndroidEmulation | undefined;
  /** Tracks the focus and the masked fields, in sessions that mask fields. */
  focus?: FocusWatch | undefined;
  /** Tracks the focused field, if a viewer needs it. */
  fields?: FieldWatch | undefined;
  /** True if users can zoom a page with two fingers. */
  pinch: boolean;
  /** Handles file choosers, downloads and printing. */
  files?: Pick<BrowserFiles, 'follow'>;
  /** True if only the page is shown, and no shortcut opens browser user interface. */
  kiosk: boolean;
  /** Tabs that the first window restores, if the browser does not restore them at its start. */
  restored?: RestoredTabs | undefined;
  /** Maximum number of open pages. */
  maxPages: number;
}

/**
 * The open pages of the browser, and the active page. The host attaches to them over CDP, for example to send
 * text, which X11 can transmit only as keys.
 */
export class Pages {
  /** Pages in the order in which they were opened. Each value resolves when the page runs. */
  readonly #pages = new Map<CdpSession, Promise<void>>();
  /** Called when the last page was closed and the browser still runs. */
  onLastClosed: () => void = () => undefined;
  /**
   * Called with the target id of each page that opens while another page is open. Not called for restored
   * tabs.
   */
  onOpened: (target: string) => void = () => undefined;
  /** Called when a page opens, closes, or shows another document, so that users may see another page. */
  onReplaced: () => void = () => undefined;
  /** Called with the id of a frame that has its own process. */
  onFrame: (id: string) => void = () => undefined;
  /**
   * Called when the process of a page, or of a frame in it, has crashed. The browser shows an error page
   * instead. Not called for a page that is expected to end, see {@link expectEnd}.
   */
  onCrashed: () => void = () => undefined;
  /** Called when a page was closed because the maximum number of pages was open. */
  onRefused: () => void = () => undefined;
  /** Called when a user has followed a link that would start a program, such as `mailto:`. */
  onProgramLink: () => void = () => undefined;
  /** Pixels of the display for one CSS pixel of a page that is not zoomed. */
  pixelRatio = 1;
  /** Time of the last call of {@link onProgramLink}, on the clock of `performance.now()`. */
  #linkReported = -Infinity;
  readonly #targets = new Map<string, CdpSession>();
  readonly #frames = new Map<string, CdpSession>();
  /** The page or frame around each frame that has its own process. */
  readonly #parents = new WeakMap<CdpSession, CdpSession>();
  /** Pages whose process the host is ending. */
  readonly #ending = new WeakSet<CdpSession>();
  /** Pages that customers' programs keep visible. */
  readonly emulatedFocus = new EmulatedFocus();
  /** The dialogs of the pages. */
  readonly dialogs = new Dialogs();
  /** Steps in the history of pages, and crashes of pages, for recordings. */
  readonly events = new PageEvents();
  /** Pages that have crashed and were not loaded again. */
  readonly crashes = new CrashedPages();
  /** Pages that wait for the document to which they navigate. */
  readonly navigations = new PendingNavigations();
  /** Tracks if a page has locked the pointer. */
  readonly pointerLock = new PointerLockWatch();

  private constructor(private readonly setup: PageSetup) {}

  /** Follows all pages. Resolves when the pages that are already open are known. */
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

  /** Returns all pages, oldest first. */
  get all(): CdpSession[] {
    return [...this.#pages.keys()];
  }

  /** Returns all frames that have their own process, from all pages. */
  get frames(): CdpSession[] {
    return [...this.#frames.values()];
  }

  /** Returns a frame that has its own process, by its id in the browser. */
  frame(id: string): CdpSession | undefined {
    return this.#frames.get(id);
  }

  /** Returns the open page that contains a frame, or that is the session itself. Undefined if it is gone. */
  pageOf(session: CdpSession): CdpSession | undefined {
    const parent = this.#parents.get(session);
    if (parent) return this.pageOf(parent);
    return this.#pages.has(session) ? session : undefined;
  }

  /**
   * Tells that the host is about to end the process of a page, so this end is not a crash. Returns a function
   * that must be called when the process has ended, or when the host waits for its end no longer.
   */
  expectEnd(page: CdpSession): () => void {
    this.#ending.add(page);
    return () => void this.#ending.delete(page);
  }

  /** True if the browser presents itself to pages as a phone. */
  get isPhone(): boolean {
    return this.setup.emulation !== undefined;
  }

  /** True if a page is open. */
  hasAny(): boolean {
    return this.#pages.size > 0;
  }

  /** Returns the maximum number of pages if that many are open, otherwise undefined. */
  get full(): number | undefined {
    const { maxPages, restored } = this.setup;
    // Does not count the empty page of the restored window. The host closes it as soon as the other pages are
    // open.
    const limit = restored?.hasEmpty ? maxPages + 1 : maxPages;
    return this.#pages.size >= limit ? maxPages : undefined;
  }

  /**
   * Opens a URL in the active page, which is empty. Removes all earlier entries from the page's history.
   * Gives the keyboard focus to the page.
   */
  async open(url: string): Promise<void> {
    const page = await this.front();
    if (!page) return;
    // Waits until the page is prepared. Before that, a navigation to another process would lose the settings.
    await this.#pages.get(page);
    // In a window with an empty page, Chromium gives the keyboard focus to the address bar. The next page
    // does not change this. So the text that a user types, perhaps a password, would go to the search engine.
    if (url !== 'about:blank') page.post('Page.bringToFront', {});
    const [empty] = await Promise.all([firstEntry(page), page.send('Page.navigate', { url })]);
    await forgetEmptyPage(page, empty);
  }

  /** Returns the open page with this target id; undefined if there is none. */
  ofTarget(id: string): CdpSession | undefined {
    return this.#targets.get(id);
  }

  /**
   * Returns the id of a page's main frame, which is also the id of its target; undefined if the page is gone.
   */
  mainFrame(page: CdpSession): string | undefined {
    return [...this.#targets].find(([, session]) => session === page)?.[0];
  }

  /**
   * Returns the page that users see. Usually this is the newest page that reports that it is visible. While
   * customers' programs keep pages visible, the project's extension decides. If no page reports that it is
   * visible, returns the newest page that did not answer, or else the newest page.
   *
   * @param urgent true if the input of users waits for the answer
   */
  async front({ urgent = true } = {}): Promise<CdpSession | undefined> {
    const pages = [...this.#pages.keys()].reverse();
    if (pages.length < 2) return pages[0];
    const known = await this.emulatedFocus.front(urgent);
    const front = known === undefined ? undefined : this.ofTarget(known);
    if (front) return front;
    const asked = pages.map((page) => ({
      page,
      visible: askPage(page, 'document.visibilityState === "visible"', urgent).catch(() => undefined),
    }));
    let silent: CdpSession | undefined;
    for (const { page, visible } of asked) {
      const answer = await visible;
      if (answer === true) return page;
      if (answer === undefined) silent ??= page;
    }
    return silent ?? pages[0];
  }

  /**
   * Returns a promise that resolves when a page can answer again. Undefined if it neither waits for a web
   * server nor has a dialog open.
   */
  answersAgain(page: CdpSession): Promise<void> | undefined {
    return this.navigations.of(page) ?? this.dialogs.closed(page);
  }

  /**
   * Closes the active page if an older page is open. Then another page becomes active. The closing page may
   * first ask its user for confirmation.
   */
  async closeOpened(): Promise<void> {
    const [oldest] = this.#pages.keys();
    const page = await this.front();
    if (page && page !== oldest) page.post('Page.close', {});
  }

  /** Resets the pinch zoom of the active page, if pinching is enabled. */
  async resetZoom(): Promise<void> {
    const page = this.setup.pinch ? await this.front() : undefined;
    if (page) resetPinchZoom(page);
  }

  /**
   * True if the page has the keyboard focus. False if the address bar or another part of the browser has it.
   */
  async hasFocus(page: CdpSession): Promise<boolean> {
    return (await askPage(page, 'document.hasFocus()')) === true;
  }

  /**
   * Returns the page's position and scale on the screen.
   *
   * @param urgent true if the input of users waits for the answer
   */
  async geometry(page: CdpSession, { urgent = true } = {}): Promise<PageGeometry> {
    const measure = this.isPhone ? geometryOfPhone : geometryOf;
    return measure(page, this.pixelRatio, urgent);
  }

  /** Reports a link. Frames of one page could report more often than people can read. */
  #programLink(): void {
    if (performance.now() - this.#linkReported < LINK_INTERVAL_MS) return;
    this.#linkReported = performance.now();
    this.onProgramLink();
  }

  #add({ session, parent, info, ready }: AttachedTarget): void {
    guardPage(session, this.setup.kiosk, () => this.#programLink());
    if (info.type === 'page' || info.type === 'iframe') {
      this.setup.files?.follow(session, parent, info.parentFrameId);
      this.pointerLock.follow(session);
    }
    if (info.type === 'iframe') {
      const { targetId } = info;
      this.#frames.set(targetId, session);
      this.#parents.set(session, parent);
      session.on('Inspector.targetCrashed', () => this.onCrashed());
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
    session.on('Inspector.targetCrashed', () => {
      if (this.#ending.delete(session)) return;
      this.events.crashed(info.targetId);
      this.onCrashed();
    });
    this.onReplaced();
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined) this.onReplaced();
    });
    void session.ended.then((reason) => {
      this.onReplaced();
      this.#pages.delete(session);
      this.#targets.delete(info.targetId);
      this.emulatedFocus.closed(info.targetId);
      if (reason === 'detached' && !this.hasAny()) this.onLastClosed();
    });
    refusePermissions(session, this.setup.kiosk);
    if (this.setup.kiosk) leaveBrowserPages(session, info.url, () => this.all[0] === session);
    this.dialogs.follow(session);
    this.events.follow(session, info.targetId);
    this.navigations.follow(session, info.targetId);
    this.crashes.follow(session);
    // The target of a page has the same id as the page's main frame.
    if (this.setup.pinch) resetPinchZoomOnReload(session, info.targetId);
    if (!isFirst && !this.setup.restored?.has(info.targetId)) this.onOpened(info.targetId);
  }
}

/**
 * True for pages of tabs and windows. False for the browser's own popups, which also have the type `page`.
 */
function isPage({ type, url }: AttachedTarget['info']): boolean {
  return type === 'page' && !url.startsWith('chrome://omnibox');
}
