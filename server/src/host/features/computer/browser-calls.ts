import type {
  ComputerFiles,
  ComputerTabs,
  Role,
  SessionMethod,
  Tab,
  TabDialog,
} from 'cloud-browser/protocol';
import { pause, type Clock } from '../../../platform/time/clock.js';
import type { Navigation, UnchangedReason } from '../../browser/pages/watch/pending-navigations.js';
import { booleanOf, wrong } from '../../room/calls/arguments.js';
import { CallError } from '../../room/calls/call-error.js';
import type { Fields } from './computer-arguments.js';

/** Maximum length of an address. */
const MAX_URL_CHARS = 8_192;
/** Default time to wait until a page opens a file chooser. Milliseconds. */
const STANDARD_CHOOSER_WAIT_MS = 5_000;
/**
 * Time in which Chrome reports a download after the end of its navigation, and closes the new tab of a
 * download. Milliseconds.
 */
const DOWNLOAD_MS = 250;
/** The tab in front. In Chrome's API, `currentWindow` is the window that was used last. */
const IN_FRONT = { active: true, currentWindow: true };
/** Actions by which the tab shows another document, or the same one again. */
const NAVIGATES: ReadonlySet<string> = new Set(['reload', 'back', 'forward']);
const TAB_ACTIONS = ['list', 'activate', 'close', 'reload', 'back', 'forward'] as const;

/** Calls methods of the session with the rights of an agent. */
export interface BrowserCalls {
  /** Calls a method that only reads. Rejects with `CallError` if the agent lacks the role. */
  read(role: Role, method: SessionMethod, args: readonly unknown[]): Promise<unknown>;
  /**
   * Calls a method that acts. Waits until the agent has control. Rejects with `CallError` like {@link read}.
   */
  act(role: Role, method: SessionMethod, args: readonly unknown[]): Promise<unknown>;
}

/**
 * Checks the fields of the action `open`. Returns the function that performs it. The function resolves to the
 * id of the new tab, if there is one. Throws `CallError`.
 */
export function openingOf({
  url,
  new_tab: newTab = false,
  force = false,
}: Fields): (browser: BrowserCalls) => Promise<number | undefined> {
  if (typeof url !== 'string' || url === '' || url.length > MAX_URL_CHARS)
    throw wrong('url', `an address of 1 to ${MAX_URL_CHARS} characters`);
  const inNewTab = booleanOf(newTab, 'new_tab');
  const address = { url, ...(booleanOf(force, 'force') && { force: true }) };
  return async (browser) => {
    if (!inNewTab) {
      await browser.act('chrome_apis', 'tabs.update', [await activeTab(browser), address]);
      return undefined;
    }
    // The types of Chrome's results are not checked.
    const created = (await browser.act('chrome_apis', 'tabs.create', [{ url }])) as Partial<Tab> | undefined;
    return created?.id;
  };
}

/**
 * Returns the reason why an opened address shows no document.
 *
 * @param navigation the navigation to the address, if the host has followed it
 * @param tab id of the new tab, if there is one
 */
export async function unchangedBy(
  navigation: Navigation | undefined,
  tab: number | undefined,
  browser: BrowserCalls,
  clock: Pick<Clock, 'setTimeout'>,
): Promise<UnchangedReason | undefined> {
  if (navigation?.unchanged === 'download') return 'download';
  // A web server may answer before the host follows the new tab.
  if (tab !== undefined) return unchangedTab(browser, tab, clock);
  if (navigation?.unchanged === 'no_document') await pause(clock, DOWNLOAD_MS);
  return navigation?.unchanged;
}

/**
 * Returns the reason why a new tab shows no document. Chrome closes a new tab whose address is a file. Until
 * then the tab looks like one without a document, so this function looks twice. Returns undefined if the tab
 * shows a document or still loads it.
 */
async function unchangedTab(
  browser: BrowserCalls,
  id: number,
  clock: Pick<Clock, 'setTimeout'>,
): Promise<UnchangedReason | undefined> {
  const look = async (): Promise<UnchangedReason | undefined> => {
    const tabs = (await browser.read('chrome_apis', 'tabs.query', [{}])) as Tab[];
    const tab = tabs.find((one) => one.id === id);
    if (!tab) return 'download';
    return tab.url === '' && tab.status === 'complete' ? 'no_document' : undefined;
  };
  try {
    const first = await look();
    if (first !== 'no_document') return first;
    await pause(clock, DOWNLOAD_MS);
    return await look();
  } catch (error) {
    // The tab was opened, so an agent that may not read tabs any more gets no error.
    if (error instanceof CallError) return undefined;
    throw error;
  }
}

/**
 * Checks the fields of the action `tabs`. Returns the function that performs it. Throws `CallError`.
 *
 * `isLoading` waits until the active page shows the document to which it navigates. It resolves to true if
 * the page still shows another document after some time.
 */
export function tabsActionOf({
  action = 'list',
  id,
}: Fields): (browser: BrowserCalls, isLoading: () => Promise<boolean>) => Promise<ComputerTabs> {
  const known = TAB_ACTIONS.find((name) => name === action);
  if (!known) throw wrong('action', `one of ${TAB_ACTIONS.join(', ')}`);
  if (id !== undefined && (typeof id !== 'number' || !Number.isInteger(id)))
    throw wrong('id', 'the id of a tab, as tabs returns it');
  return async (browser, isLoading) => {
    if (known === 'list') return { tabs: await listOf(browser) };
    const navigates = NAVIGATES.has(known);
    const front = id === undefined || navigates ? await activeTab(browser) : undefined;
    const tab = id ?? front;
    const calls = {
      activate: ['tabs.update', [tab, { active: true }]],
      close: ['tabs.remove', [tab]],
      reload: ['tabs.reload', [tab]],
      back: ['tabs.goBack', [tab]],
      forward: ['tabs.goForward', [tab]],
    } as const;
    const [method, args] = calls[known];
    await browser.act('chrome_apis', method, args);
    const loading = navigates && tab === front && (await isLoading());
    return { tabs: await tabsAfter(browser), ...(loading && { loading }) };
  };
}

/**
 * Checks the field `accept` of the action `dialog`. The method `dialogs.answer` checks the field `text`.
 * Returns the function that performs the action. Throws `CallError`.
 */
export function dialogAnswerOf({ accept, text }: Fields): (browser: BrowserCalls) => Promise<void> {
  const answer = { accept: booleanOf(accept, 'accept'), ...(text !== undefined && { text }) };
  return async (browser) => {
    const dialog = await shownDialog((method, args) => browser.read('chrome_apis', method, args));
    if (!dialog) throw new CallError('err_call_failed', 'The active tab has no dialog open.');
    await browser.act('chrome_apis', 'dialogs.answer', [dialog.tabId, answer]);
  };
}

/**
 * Returns the dialog that the active tab shows. If the tab in front shows none, returns that of the active
 * tab of another window, because this dialog may block the tab in front too. Undefined if there is none.
 */
export async function shownDialog(
  read: (method: SessionMethod, args: readonly unknown[]) => Promise<unknown>,
): Promise<TabDialog | undefined> {
  const dialogs = (await read('dialogs.list', [])) as TabDialog[];
  if (dialogs.length === 0) return undefined;
  const dialogIn = async (query: object): Promise<TabDialog | undefined> => {
    const tabs = (await read('tabs.query', [query])) as { id?: number }[];
    return dialogs.find(({ tabId }) => tabs.some(({ id }) => id === tabId));
  };
  return (await dialogIn(IN_FRONT)) ?? dialogIn({ active: true });
}

/** Returns the downloads. */
export async function filesOf(browser: BrowserCalls): Promise<ComputerFiles> {
  const list = (await browser.read('file_download', 'files.list', [])) as ComputerFiles['files'];
  return { files: list.map(({ id, name, size, state }) => ({ id, name, size, state })) };
}

/**
 * Reads the fields of the action `choose`. The method `files.choose` checks these fields. Returns the
 * function that performs the action.
 */
export function choiceOf({
  files,
  timeout = STANDARD_CHOOSER_WAIT_MS,
}: Fields): (browser: BrowserCalls) => Promise<void> {
  return async (browser) => {
    await browser.act('file_upload', 'files.choose', [files, timeout]);
  };
}

async function tabsOf(browser: BrowserCalls, query: object = {}): Promise<ComputerTabs['tabs']> {
  // The types of Chrome's results are not checked.
  const tabs = (await browser.read('chrome_apis', 'tabs.query', [query])) as Partial<
    ComputerTabs['tabs'][0]
  >[];
  return tabs.map(({ id = -1, title = '', url = '', active = false }) => ({ id, title, url, active }));
}

/** Returns all tabs. Only one is active, although each window has an active tab in Chrome's API. */
async function listOf(browser: BrowserCalls): Promise<ComputerTabs['tabs']> {
  const tabs = await tabsOf(browser);
  if (tabs.filter(({ active }) => active).length < 2) return tabs;
  const [front] = await tabsOf(browser, IN_FRONT);
  return front ? tabs.map((tab) => ({ ...tab, active: tab.id === front.id })) : tabs;
}

/**
 * Returns the tabs after an action. The action was done, so an agent that has lost the right to read tabs
 * meanwhile gets an empty list, not an error.
 */
async function tabsAfter(browser: BrowserCalls): Promise<ComputerTabs['tabs']> {
  try {
    return await listOf(browser);
  } catch (error) {
    if (error instanceof CallError && error.code === 'err_forbidden') return [];
    throw error;
  }
}

async function activeTab(browser: BrowserCalls): Promise<number> {
  const [front] = await tabsOf(browser, IN_FRONT);
  const tab = front ?? (await tabsOf(browser)).find(({ active }) => active);
  if (!tab) throw new CallError('err_call_failed', 'No tab is open. Use new_tab to open one.');
  return tab.id;
}
