import { TAB_EVENTS, type Tab, type TabMethod } from 'cloud-browser/protocol';

/** Put there by the session host while it listens; see its `BridgeWorker`. */
type Tell = (event: string) => void;

/** Outcome of a call. */
type Outcome = { result?: unknown } | { /** Chrome's own words. */ error: string };

/** Tells the session of every event. To be called when the worker starts: an event may be what woke it. */
export function tellTabEvents(): void {
  for (const name of TAB_EVENTS) {
    chrome.tabs[name].addListener((...args: unknown[]) => {
      (globalThis as { tellSession?: Tell }).tellSession?.(JSON.stringify({ name: `tabs.${name}`, args }));
    });
  }
}

/** Carries out a method of `chrome.tabs`. */
export async function callTabs(method: TabMethod, args: unknown[]): Promise<Outcome> {
  try {
    return { result: await chrome.tabs[method](...args) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** A tab and what the DevTools protocol calls its page. */
interface TabPage {
  tabId: number;
  target: string;
  /** In front, in the window that was used last. */
  front: boolean;
  /** It has a process: it is not discarded, has not crashed, and its first address has answered. */
  live: boolean;
}

/** The tabs and their pages. */
export async function listPages(): Promise<TabPage[]> {
  const [targets, tabs, [front]] = await Promise.all([
    chrome.debugger.getTargets(),
    chrome.tabs.query({}) as Promise<Tab[]>,
    chrome.tabs.query({ active: true, currentWindow: true }) as Promise<Tab[]>,
  ]);
  return tabs.flatMap(({ id, status, url }) => {
    const target = targets.find(({ tabId }) => tabId !== undefined && tabId === id);
    if (id === undefined || !target) return [];
    return [{ tabId: id, target: target.id, front: id === front?.id, live: status !== 'unloaded' && !!url }];
  });
}

/** Chromium's number of the process that a tab's page runs in, as its `--renderer-client-id` says; null when it has none. */
export async function rendererOf(tabId: number): Promise<number | null> {
  // `getFrame` does not tell it.
  const frames = await chrome.webNavigation.getAllFrames({ tabId });
  return frames?.find(({ frameId }) => frameId === 0)?.processId ?? null;
}
