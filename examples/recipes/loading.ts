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
  const show = async () => {
    // Each window has an active tab, and a popup is a window. This is the tab that users see.
    const [front] = await tabs.query({ active: true, lastFocusedWindow: true }).catch(() => []);
    indicator.hidden = front?.status !== 'loading';
  };
  await tabs.onUpdated.addListener(show);
  await tabs.onActivated.addListener(show);
  await tabs.onRemoved.addListener(show);
  await show();
}
