import type { Tab } from 'cloud-browser/protocol';

/** Timeout and poll interval for a page's tab. A page runs for a moment before it is in a tab. */
const TAB_TIMEOUT_MS = 2_000;
const POLL_INTERVAL_MS = 20;
/** Timeout and poll interval while a user drags a tab. Nobody drags one for longer. */
const DRAG_TIMEOUT_MS = 60_000;
const DRAG_POLL_INTERVAL_MS = 100;

/**
 * Moves a page that another page opened into a popup: a separate window with a title bar and a close button.
 * It keeps its opener. A page that is already in a popup, or that no page opened, stays where it is.
 *
 * @param target the page's id in the DevTools protocol
 */
export async function popOut(target: string): Promise<void> {
  const tabId = await tabOf(target);
  if (tabId !== undefined) await toPopup(tabId, ({ openerTabId }) => openerTabId !== undefined);
}

/** Promise of the current move and all moves before it. */
let moving: Promise<unknown> = Promise.resolve();

/**
 * Moves a tab into a popup if it is in none. Moves run one after the other: two at once would close a popup
 * and open another.
 */
function toPopup(tabId: number, isMeant: (tab: Tab) => boolean = () => true): Promise<void> {
  const move = moving.then(async () => {
    const tab = (await chrome.tabs.get(tabId)) as Tab;
    const { type } = await chrome.windows.get(tab.windowId);
    if (type === 'normal' && isMeant(tab)) await chrome.windows.create({ tabId, type: 'popup' });
  });
  moving = move.catch(() => undefined);
  return move;
}

/** Destination of the tabs of a second main window: tabs of the first one, or popups over it. */
type Place = 'tabs' | 'popups';

/**
 * Leaves only one main window. Tabs of other windows move into the first one, where the ones in front stay in
 * front, or they become popups. Two windows that fill the screen would cover each other without any sign.
 * Returns at once: while a user drags a tab, Chrome refuses all moves.
 */
export function keepOneWindow(place: Place): void {
  gathering ??= gather(place).finally(() => (gathering = undefined));
}

let gathering: Promise<void> | undefined;

async function gather(place: Place): Promise<void> {
  const limit = performance.now() + DRAG_TIMEOUT_MS;
  while (performance.now() < limit) {
    const all = await chrome.windows.getAll({ populate: true, windowTypes: ['normal'] });
    // A window without tabs is closing and takes none.
    const windows = all.filter(({ tabs = [] }) => tabs.length > 0);
    const [first, ...others] = windows.sort((a, b) => (a.id ?? 0) - (b.id ?? 0));
    if (others.length === 0) return;
    try {
      for (const { tabs = [], focused } of others)
        await (place === 'tabs' ? moveTabs(tabs, first?.id, focused) : popOutTabs(tabs));
    } catch {
      await pause(DRAG_POLL_INTERVAL_MS);
    }
  }
}

async function moveTabs(tabs: readonly Tab[], windowId: number | undefined, focused: boolean): Promise<void> {
  for (const { id, active } of tabs) {
    if (id === undefined || windowId === undefined) continue;
    await chrome.tabs.move(id, { windowId, index: -1 });
    if (active && focused) await chrome.tabs.update(id, { active });
  }
}

async function popOutTabs(tabs: readonly Tab[]): Promise<void> {
  for (const { id } of tabs) if (id !== undefined) await toPopup(id);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Returns the tab of a page; undefined if the page was closed or is in no tab. */
async function tabOf(target: string): Promise<number | undefined> {
  const limit = performance.now() + TAB_TIMEOUT_MS;
  while (performance.now() < limit) {
    const found = (await chrome.debugger.getTargets()).find(({ id }) => id === target);
    if (!found || found.tabId !== undefined) return found?.tabId;
    await pause(POLL_INTERVAL_MS);
  }
  return undefined;
}
