import type { Tab } from 'cloud-browser/protocol';

/** A page runs a moment before it is in a tab. */
const TAB_TIMEOUT_MS = 2_000;
const POLL_INTERVAL_MS = 20;

/**
 * Moves a page that another page opened into a popup: a window of its own, which has a title bar with a close button. It keeps its
 * opener. A page that is in a popup already, or that no page opened, stays where it is.
 *
 * @param target what the DevTools protocol calls the page
 */
export async function popOut(target: string): Promise<void> {
  const tabId = await tabOf(target);
  if (tabId === undefined) return;
  const { openerTabId, windowId } = (await chrome.tabs.get(tabId)) as Tab;
  const { type } = await chrome.windows.get(windowId);
  if (openerTabId !== undefined && type === 'normal') await chrome.windows.create({ tabId, type: 'popup' });
}

/** Undefined for a page that was closed, or is in no tab. */
async function tabOf(target: string): Promise<number | undefined> {
  const limit = performance.now() + TAB_TIMEOUT_MS;
  while (performance.now() < limit) {
    const found = (await chrome.debugger.getTargets()).find(({ id }) => id === target);
    if (!found || found.tabId !== undefined) return found?.tabId;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  return undefined;
}
