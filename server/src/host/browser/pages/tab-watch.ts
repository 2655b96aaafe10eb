import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '../cdp/cdp-session.js';

/** Receives the changes of tabs. `tab` is the tab's target id in the browser. */
export interface TabListener {
  /** @param opener the tab that opened this tab as a popup, if there is one */
  onOpened(tab: string, opener?: string): void;
  onClosed(tab: string): void;
  onAddress(tab: string, url: string): void;
  onTitle(tab: string, title: string): void;
}

interface Tab {
  opener: string | undefined;
  url: string;
  title: string;
}

/** Maximum length of a reported address or title, in characters. Longer ones are cut. */
const MAX_CHARS = 2_048;

/**
 * Reports the tabs of the browser with their addresses and titles, first the tabs that are already open.
 * Pages cannot detect this. Returns a function that reports all open tabs again.
 */
export function watchTabs(browser: Pick<CdpSession, 'on' | 'post'>, listener: TabListener): () => void {
  const known = new Map<string, Tab>();
  const report = (tab: string, now: Tab, before?: Tab) => {
    if (!before) listener.onOpened(tab, now.opener);
    if (now.url !== '' && now.url !== before?.url) listener.onAddress(tab, now.url);
    if (now.title !== '' && now.title !== before?.title) listener.onTitle(tab, now.title);
  };
  const update = ({ targetId: tab, type, url, title, openerId }: Protocol.Target.TargetInfo) => {
    if (type !== 'page') return;
    const before = known.get(tab);
    const now = { opener: openerId, url: url.slice(0, MAX_CHARS), title: title.slice(0, MAX_CHARS) };
    known.set(tab, now);
    report(tab, now, before);
  };
  browser.on('Target.targetCreated', ({ targetInfo }) => update(targetInfo));
  browser.on('Target.targetInfoChanged', ({ targetInfo }) => update(targetInfo));
  browser.on('Target.targetDestroyed', ({ targetId }) => {
    if (known.delete(targetId)) listener.onClosed(targetId);
  });
  browser.post('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'page' }] });
  return () => {
    for (const [tab, now] of known) report(tab, now);
  };
}
