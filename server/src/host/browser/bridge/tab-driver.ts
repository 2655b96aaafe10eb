import type { DialogAnswer, TabDialog, TabMethod } from 'cloud-browser/protocol';
import { CdpError, type CdpSession } from '../cdp/cdp-session.js';
import type { Pages } from '../pages/pages.js';
import { LeavingWatch, type Obstacle } from './leaving-watch.js';
import { RequestWatch } from './request-watch.js';
import { iconQuery, withIcons } from './tab-icons.js';

/** Timeout for the check that a page answers. A working page answers sooner, also on a busy machine. */
const PROBE_TIMEOUT_MS = 3_000;
/**
 * Timeout for the browser to notice that a process was killed. It usually notices sooner. A call can take
 * this timeout, {@link PROBE_TIMEOUT_MS}, the timeout of {@link RequestWatch} and the time of the requested
 * change. The sum must be less than 10 seconds, because clients wait no longer for the answer.
 */
const END_TIMEOUT_MS = 3_000;
/** Error of Chrome for a navigation while the page asks its user whether to leave. */
const STILL_ASKING = 'Navigation rejected.';
/** Methods that open another tab. */
const OPENING: readonly TabMethod[] = ['create', 'duplicate'];
/** Methods that Chrome passes to the page of a tab. `update` with a URL is also such a method. */
const OF_PAGES: readonly TabMethod[] = ['detectLanguage', 'goBack', 'goForward', 'reload'];

/**
 * Chrome's answer as the worker of the project's extension sends it, or the reason why the call was not done.
 */
export type TabOutcome =
  | { result: unknown }
  | { error: string }
  | { obstacle: Obstacle }
  | { /** The maximum number of tabs, which are all open. */ full: number };

/** The connection to the worker; see `Bridge`. */
interface TabWorker {
  call(name: 'callTabs', method: TabMethod, args: readonly unknown[]): Promise<unknown>;
  call(name: 'iconsOf', addresses: readonly string[]): Promise<unknown>;
  call(name: 'listPages'): Promise<unknown>;
  call(name: 'rendererOf', tabId: number): Promise<unknown>;
}

/** A tab as the worker describes it; see `bridge/tabs.ts` of the browser extensions. */
interface TabPage {
  tabId: number;
  target: string;
  front: boolean;
  live: boolean;
}

/** A call of a Chrome method that the page of a tab must carry out. */
interface PageCall {
  /** Tab id as in Chrome's API: undefined or null means the active tab. */
  tab: unknown;
  args: readonly unknown[];
  /** True to end the process of a page that has an obstacle. */
  force: boolean;
}

/**
 * Carries out methods of `chrome.tabs`. Some methods must be carried out by a page. Chrome reports their
 * success even if the page never carries them out. In this case, this class returns the obstacle. Promises
 * reject when the browser ends.
 */
export class TabDriver {
  readonly #tabs = new WeakMap<CdpSession, Promise<number | undefined>>();

  constructor(
    private readonly worker: TabWorker,
    private readonly pages: Pick<
      Pages,
      'dialogs' | 'expectEnd' | 'full' | 'mainFrame' | 'navigations' | 'ofTarget'
    >,
    /** Ends the process of a page, given Chromium's id of the process. */
    private readonly endRenderer: (renderer: number) => void,
  ) {}

  async call(method: TabMethod, args: readonly unknown[]): Promise<TabOutcome> {
    const { full } = this.pages;
    if (full !== undefined && OPENING.includes(method)) return { full };
    if (method === 'remove') return this.#remove(args);
    if (method === 'query') return this.#query(args);
    const call = pageCall(method, args);
    return call ? this.#navigate(method, call) : this.#chrome(method, args);
  }

  /** Reports dialogs that open or close from now on. */
  followDialogs(onOpened: (dialog: TabDialog) => void, onClosed: (tab: number) => void): void {
    const { dialogs } = this.pages;
    dialogs.onOpened = (page, dialog) => {
      const tab = this.#tabOf(page).catch(() => undefined);
      this.#tabs.set(page, tab);
      void tab.then((tabId) => tabId !== undefined && onOpened({ tabId, ...dialog }));
    };
    dialogs.onClosed = (page) => {
      void this.#tabs.get(page)?.then((tabId) => tabId !== undefined && onClosed(tabId));
    };
  }

  /** Returns the dialogs that tabs have open. */
  async openDialogs(): Promise<TabDialog[]> {
    const { dialogs } = this.pages;
    if (dialogs.all().size === 0) return [];
    return (await this.#list()).flatMap(({ tabId, page }) => {
      const dialog = page && dialogs.of(page);
      return dialog ? [{ tabId, ...dialog }] : [];
    });
  }

  /**
   * Answers the dialog of a tab. Resolves to false if the tab has no dialog, or if another user has already
   * answered it.
   */
  async answerDialog(tab: number, answer: DialogAnswer): Promise<boolean> {
    const { dialogs } = this.pages;
    const page = (await this.#list()).find(({ tabId }) => tabId === tab)?.page;
    if (!page || !dialogs.of(page)) return false;
    return dialogs.answer(page, answer).then(
      () => true,
      () => false,
    );
  }

  async #query(args: readonly unknown[]): Promise<TabOutcome> {
    const query = iconQuery(args);
    const outcome = await this.#chrome('query', query.args);
    return query.icons ? withIcons(this.worker, outcome) : outcome;
  }

  async #navigate(method: TabMethod, { tab, args, force }: PageCall): Promise<TabOutcome> {
    const live = await this.#liveTab(tab);
    const page = live?.page;
    const before = page && (await this.#obstacleBefore(page));
    if (before && !force) return { obstacle: before };
    if (!page) return this.#chrome(method, args);
    const watch = new LeavingWatch([page]);
    const request = new RequestWatch(page, this.pages.mainFrame(page));
    try {
      // Also before a page is ended by force: the page must stay if Chrome refuses the call.
      const outcome = await this.#chrome(method, args);
      if ('error' in outcome && !(before && outcome.error === STILL_ASKING)) return outcome;
      const after = before ?? (await Promise.race([watch.left, watch.asked, this.#obstacle(page)]));
      if (!after) return outcome;
      if (!before && after === 'unresponsive' && (await request.isSlow(watch.left))) return outcome;
      return force && (await this.#end(live.tabId, page))
        ? await this.#chrome(method, args)
        : { obstacle: after };
    } finally {
      watch.close();
      request.close();
    }
  }

  /**
   * Closes tabs. Chrome answers when the tabs are closed. It never answers if a page asks the user whether to
   * leave, and the user stays. So this method returns an obstacle as soon as a page asks.
   */
  async #remove(args: readonly unknown[]): Promise<TabOutcome> {
    const ids = [args[0]].flat();
    const tabs = (await this.#list()).filter(({ tabId }) => ids.includes(tabId));
    const watch = new LeavingWatch(tabs.flatMap(({ page }) => page ?? []));
    try {
      const asked = watch.asked.then((obstacle) => ({ obstacle }));
      return await Promise.race([this.#chrome('remove', args), asked]);
    } finally {
      watch.close();
    }
  }

  /**
   * Returns the obstacle before a call. A page with a pending navigation answers nothing, so its silence is
   * no obstacle. If the page hangs too, the check after the call finds the obstacle.
   */
  async #obstacleBefore(page: CdpSession): Promise<Obstacle | undefined> {
    const { dialogs, navigations } = this.pages;
    return navigations.of(page) ? dialogs.of(page)?.type : this.#obstacle(page);
  }

  async #obstacle(page: CdpSession): Promise<Obstacle | undefined> {
    const { dialogs } = this.pages;
    if (dialogs.of(page)) return dialogs.of(page)?.type;
    try {
      await page.send('Runtime.evaluate', { expression: '1' }, PROBE_TIMEOUT_MS);
      return undefined;
    } catch (error) {
      const silent = error instanceof CdpError && error.reason === 'timed-out' && (await this.#lives(page));
      return dialogs.of(page)?.type ?? (silent ? 'unresponsive' : undefined);
    }
  }

  /** True if a page has a process. A page without a process does not answer, but it does not block a call. */
  async #lives(page: CdpSession): Promise<boolean> {
    return (await this.#list()).some((tab) => tab.page === page && tab.live);
  }

  /**
   * Kills the process of a page, even if the page hangs. Resolves to false if the process does not end.
   * `Page.crash` is not enough, because Chromium delays messages to a page while a navigation is pending. A
   * page in an endless loop never finishes the navigation. Users get no report of a crash, because another
   * page replaces this one.
   */
  async #end(tabId: number, page: CdpSession): Promise<boolean> {
    const renderer = await this.worker.call('rendererOf', tabId);
    if (typeof renderer !== 'number') return false;
    const done = this.pages.expectEnd(page);
    return new Promise((resolve) => {
      const settle = (gone: boolean) => {
        clearTimeout(timer);
        stop();
        done();
        resolve(gone);
      };
      const timer = setTimeout(settle, END_TIMEOUT_MS, false);
      const stop = page.on('Inspector.targetCrashed', () => settle(true));
      void page.ended.then(() => settle(true));
      this.endRenderer(renderer);
    });
  }

  /** Returns the requested tab. Undefined if it does not exist, or if its page has no process. */
  async #liveTab(tab: unknown): Promise<(TabPage & { page: CdpSession | undefined }) | undefined> {
    const isMeant = ({ tabId, front }: TabPage) =>
      tab === undefined || tab === null ? front : tabId === tab;
    const found = (await this.#list()).find(isMeant);
    return found?.live ? found : undefined;
  }

  async #tabOf(page: CdpSession): Promise<number | undefined> {
    return (await this.#list()).find((tab) => tab.page === page)?.tabId;
  }

  async #list(): Promise<(TabPage & { page: CdpSession | undefined })[]> {
    const tabs = await this.worker.call('listPages');
    if (!Array.isArray(tabs) || !tabs.every(isTabPage)) throw new Error('The bridge does not report tabs.');
    return tabs.map((tab) => ({ ...tab, page: this.pages.ofTarget(tab.target) }));
  }

  async #chrome(method: TabMethod, args: readonly unknown[]): Promise<TabOutcome> {
    const outcome = await this.worker.call('callTabs', method, args);
    if (typeof outcome !== 'object' || outcome === null) throw new Error('The bridge does not answer calls.');
    if ('error' in outcome) return { error: String(outcome.error) };
    return { result: 'result' in outcome ? outcome.result : undefined };
  }
}

function isTabPage(value: unknown): value is TabPage {
  if (typeof value !== 'object' || value === null) return false;
  const { tabId, target, front, live }: Partial<Record<keyof TabPage, unknown>> = value;
  return (
    typeof tabId === 'number' &&
    typeof target === 'string' &&
    typeof front === 'boolean' &&
    typeof live === 'boolean'
  );
}

function pageCall(method: TabMethod, args: readonly unknown[]): PageCall | undefined {
  const [first] = args;
  const tab = typeof first === 'object' ? undefined : first;
  if (OF_PAGES.includes(method)) return { tab, args, force: false };
  if (method !== 'update') return undefined;
  // The first argument, the tab id, is optional.
  const index = typeof first === 'object' && first !== null ? 0 : 1;
  const properties = args[index];
  if (typeof properties !== 'object' || properties === null) return undefined;
  const { force, ...wanted } = properties as { url?: unknown; force?: unknown };
  // Chrome refuses another type. So the page must not be ended for the call.
  if (typeof wanted.url !== 'string') return undefined;
  return { tab, args: [...args.slice(0, index), wanted, ...args.slice(index + 1)], force: force === true };
}
