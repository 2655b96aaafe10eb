import { TAB_EVENTS, type TabMethod } from 'cloud-browser/protocol';

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
