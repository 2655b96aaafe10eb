import { TAB_EVENTS, type Tab, type TabMethod } from 'cloud-browser/protocol';

/** Function that the session host adds while it listens; see its `BridgeWorker`. */
type Tell = (event: string) => void;

/** Outcome of a call. */
type Outcome = { result?: unknown } | { /** Chrome's error message. */ error: string };

/**
 * Maximum number of characters of a text for the session. A page can have an address of 2 MB and change it in
 * a loop. The session cuts addresses and removes icons above one character less, see `tab-texts.ts`, so it
 * still notices which texts are too long.
 */
const MAX_TEXT_CHARS = 16_385;

/**
 * Sends every event to the session. Call it when the worker starts, because an event may have woken the
 * worker.
 */
export function tellTabEvents(): void {
  for (const name of TAB_EVENTS) {
    chrome.tabs[name].addListener((...args: unknown[]) => {
      (globalThis as { tellSession?: Tell }).tellSession?.(
        JSON.stringify({ name: `tabs.${name}`, args }, short),
      );
    });
  }
}

/** Carries out a method of `chrome.tabs`. */
export async function callTabs(method: TabMethod, args: unknown[]): Promise<Outcome> {
  try {
    const result = JSON.stringify(await chrome.tabs[method](...args), short) as string | undefined;
    return { result: result === undefined ? undefined : (JSON.parse(result) as unknown) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** Cuts long texts of a value that becomes JSON. */
function short(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.slice(0, MAX_TEXT_CHARS) : value;
}

/** A tab and its page's id in the DevTools protocol. */
interface TabPage {
  tabId: number;
  target: string;
  /** True for the tab that its window shows. */
  active: boolean;
  /** True for the tab in front in the window that was used last. */
  front: boolean;
  /** True if it has a process: it is not discarded, has not crashed, and its first URL has answered. */
  live: boolean;
}

/** Returns the tabs and their pages. */
export async function listPages(): Promise<TabPage[]> {
  const [targets, tabs, [front]] = await Promise.all([
    chrome.debugger.getTargets(),
    chrome.tabs.query({}) as Promise<Tab[]>,
    chrome.tabs.query({ active: true, currentWindow: true }) as Promise<Tab[]>,
  ]);
  return tabs.flatMap(({ id, active, status, url }) => {
    const target = targets.find(({ tabId }) => tabId !== undefined && tabId === id);
    if (id === undefined || !target) return [];
    const live = status !== 'unloaded' && !!url;
    return [{ tabId: id, target: target.id, active, front: id === front?.id, live }];
  });
}

/**
 * Returns Chromium's number for the process of a tab's page, as in its `--renderer-client-id`; null if it has
 * none.
 */
export async function rendererOf(tabId: number): Promise<number | null> {
  // `getFrame` does not return the number.
  const frames = await chrome.webNavigation.getAllFrames({ tabId });
  return frames?.find(({ frameId }) => frameId === 0)?.processId ?? null;
}
