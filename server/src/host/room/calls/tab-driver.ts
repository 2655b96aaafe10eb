import type { DialogAnswer, MethodResult, TabDialog, TabMethod } from 'cloud-browser/protocol';
import { CdpError } from '../../browser/cdp/cdp-error.js';
import type { CdpSession } from '../../browser/cdp/cdp-session.js';
import type { Dialogs } from '../../browser/pages/dialogs.js';
import { browserUnavailable, CallError, dialogOpen, pageUnresponsive } from './call-error.js';

/** A page that works answers sooner than that on a busy machine too. */
const PROBE_TIMEOUT_MS = 3_000;
/** What Chrome gives to the page of a tab, beside `update` with an address. */
const OF_PAGES: readonly TabMethod[] = ['detectLanguage', 'goBack', 'goForward', 'reload'];

/** The way into the browser; see `Bridge`. */
export interface TabBackend {
  onEvent: ((event: { name: string; args: unknown[] }) => void) | undefined;
  onReopened: (() => void) | undefined;
  open(): Promise<void>;
  call(name: 'callTabs', method: TabMethod, args: readonly unknown[]): Promise<unknown>;
  call(name: 'listPages'): Promise<unknown>;
}

/** The pages of the browser; see `Pages`. */
export interface TabPages {
  readonly dialogs: Dialogs;
  ofTarget(id: string): CdpSession | undefined;
}

/** A tab as the worker tells it; see `bridge/tabs.ts` of the browser extensions. */
interface TabPage {
  tabId: number;
  target: string;
  front: boolean;
  live: boolean;
}

/** The outcome of a method, as the worker tells it. */
type Outcome = { result: MethodResult<`tabs.${TabMethod}`> } | { error: string };
/** A method of Chrome's, with its arguments, that the page of a tab has to carry out. */
interface PageCall {
  /** As Chrome takes it: nothing stands for the tab in front. */
  tab: unknown;
  args: readonly unknown[];
  /** Whatever stands in the way is ended. */
  force: boolean;
}

/**
 * Carries out methods of `chrome.tabs`. Chrome agrees to what a page is to do although the page never does it; here such a call
 * fails, and says what stands in the way.
 */
export class TabDriver {
  constructor(
    private readonly backend: TabBackend,
    private readonly pages: TabPages,
  ) {}

  /** Rejects with {@link CallError} for what a page or the browser does not do. What Chrome refuses is an outcome. */
  async call(method: TabMethod, args: readonly unknown[]): Promise<Outcome> {
    if (method === 'remove') return this.#remove(args);
    const call = pageCall(method, args);
    return call ? this.#navigate(method, call) : this.#chrome(method, args);
  }

  /** The dialogs that tabs have open. */
  async openDialogs(): Promise<TabDialog[]> {
    const { dialogs } = this.pages;
    if (dialogs.all().size === 0) return [];
    const tabs = await this.#tabs();
    return tabs.flatMap(({ tabId, page }) => {
      const dialog = page && dialogs.of(page);
      return dialog ? [{ tabId, ...dialog }] : [];
    });
  }

  /** Answers the dialog of a tab. Rejects with {@link CallError} when it has none. */
  async answerDialog(tab: number, answer: DialogAnswer): Promise<void> {
    const page = await this.#pageOf(tab);
    if (!page || !this.pages.dialogs.of(page))
      throw new CallError('err_call_failed', 'This tab has no dialog open.');
    await this.pages.dialogs.answer(page, answer);
  }

  /** The number of a page's tab; undefined when the page is gone. */
  async tabOf(page: CdpSession): Promise<number | undefined> {
    return (await this.#tabs()).find((tab) => tab.page === page)?.tabId;
  }

  async #navigate(method: TabMethod, { tab, args, force }: PageCall): Promise<Outcome> {
    const page = await this.#pageOf(tab);
    if (!page) return this.#chrome(method, args);
    const before = await this.#obstacle(page);
    if (before && !force) throw before;
    if (before) await end(page);
    let stop: () => void = () => undefined;
    const left = new Promise<void>((resolve) => {
      stop = page.on('Page.frameNavigated', ({ frame }) => frame.parentId === undefined && resolve());
    });
    const asked = new LeaveQuestion([page]);
    try {
      const outcome = await this.#chrome(method, args);
      if (before || 'error' in outcome) return outcome;
      const after = await Promise.race([left, asked.opened, this.#obstacle(page)]);
      if (!after) return outcome;
      if (!force) throw after;
      await end(page);
      return await this.#chrome(method, args);
    } finally {
      stop();
      asked.close();
    }
  }

  /** Chrome answers when the tabs are closed, or never when a page asks and its user wants to stay. */
  async #remove(args: readonly unknown[]): Promise<Outcome> {
    const ids = [args[0]].flat();
    const tabs = (await this.#tabs()).filter(({ tabId }) => ids.includes(tabId));
    const asked = new LeaveQuestion(tabs.flatMap(({ page }) => page ?? []));
    try {
      const outcome = await Promise.race([this.#chrome('remove', args), asked.opened]);
      if (outcome instanceof CallError) throw outcome;
      return outcome;
    } finally {
      asked.close();
    }
  }

  /** What keeps a page from doing anything. */
  async #obstacle(page: CdpSession): Promise<CallError | undefined> {
    const inDialog = () => {
      const dialog = this.pages.dialogs.of(page);
      return dialog && dialogOpen(dialog.type);
    };
    const open = inDialog();
    if (open) return open;
    try {
      await page.send('Runtime.evaluate', { expression: '1' }, PROBE_TIMEOUT_MS);
      return undefined;
    } catch (error) {
      const timedOut = error instanceof CdpError && error.reason === 'timed-out';
      return inDialog() ?? (timedOut ? pageUnresponsive() : undefined);
    }
  }

  /** The page of a tab; undefined when there is none that could stand in the way. */
  async #pageOf(tab: unknown): Promise<CdpSession | undefined> {
    const tabs = await this.#tabs();
    const found = tabs.find(({ tabId, front }) => ((tab ?? undefined) === undefined ? front : tabId === tab));
    return found?.live ? found.page : undefined;
  }

  async #tabs(): Promise<(TabPage & { page: CdpSession | undefined })[]> {
    const tabs = (await this.backend.call('listPages').catch(unavailable)) as TabPage[];
    return tabs.map((tab) => ({ ...tab, page: this.pages.ofTarget(tab.target) }));
  }

  async #chrome(method: TabMethod, args: readonly unknown[]): Promise<Outcome> {
    return (await this.backend.call('callTabs', method, args).catch(unavailable)) as Outcome;
  }
}

/** Whether a page asks its user to stay, from now on. */
class LeaveQuestion {
  readonly opened: Promise<CallError>;
  readonly #stops: (() => void)[] = [];

  constructor(pages: readonly CdpSession[]) {
    this.opened = new Promise((resolve) => {
      for (const page of pages)
        this.#stops.push(
          page.on('Page.javascriptDialogOpening', ({ type }) => {
            if (type === 'beforeunload') resolve(dialogOpen(type));
          }),
        );
    });
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }
}

function pageCall(method: TabMethod, args: readonly unknown[]): PageCall | undefined {
  const [first] = args;
  const named = typeof first === 'object' ? undefined : first;
  if (OF_PAGES.includes(method)) return { tab: named, args, force: false };
  if (method !== 'update') return undefined;
  // The tab's number may be left out.
  const index = typeof first === 'object' && first !== null ? 0 : 1;
  const properties = args[index];
  if (typeof properties !== 'object' || properties === null || !('url' in properties)) return undefined;
  const { force, ...wanted } = properties as { url: unknown; force?: unknown };
  return {
    tab: named,
    args: [...args.slice(0, index), wanted, ...args.slice(index + 1)],
    force: force === true,
  };
}

/** Ends the process of a page, whatever it does: its tab shows the crash until it goes somewhere. */
async function end(page: CdpSession): Promise<void> {
  // Chromium spares a page that is about to go somewhere.
  page.post('Page.stopLoading', {});
  await page.send('Page.crash', {}).catch((error: unknown) => {
    if (!(error instanceof CdpError && error.reason === 'crashed')) throw error;
  });
}

/** The browser ended meanwhile. */
export function unavailable(): never {
  throw browserUnavailable();
}
