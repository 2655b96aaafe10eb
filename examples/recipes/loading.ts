import type { CloudBrowserElement } from 'cloud-browser/element';

/** Shows your own loading indicator until the session's first picture, and while the element reconnects. */
export function showConnecting(browser: CloudBrowserElement, indicator: HTMLElement): void {
  const show = () => {
    const hasPicture = Boolean(browser.stats?.framesPainted);
    indicator.hidden = browser.state === 'playing' ? hasPicture : !/^(re)?connecting$/.test(browser.state);
  };
  browser.addEventListener('statechange', show);
  // Fires with the first picture, and with each change of its size.
  browser.addEventListener('resize', show);
  show();
}

/**
 * Shows that the remote page is loading, like the spinner of a tab. Needs the role `chrome_apis`, which
 * viewers have.
 */
export async function showPageLoading(browser: CloudBrowserElement, indicator: HTMLElement): Promise<void> {
  const { tabs } = browser.client ?? {};
  if (!tabs) throw new Error('Connect the element first.');
  const [active] = await tabs.query({ active: true });
  indicator.hidden = active?.status !== 'loading';
  await tabs.onUpdated.addListener((_tabId, change, tab) => {
    if (tab.active && change.status) indicator.hidden = change.status !== 'loading';
  });
}
