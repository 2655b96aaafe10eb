import type { CloudBrowserElement } from '../../src/element/define.js';
import type { CloudBrowserClient } from '../../src/index.js';
import { find } from '../dom.js';

/**
 * Shows the address of the active page above the remote browser. It follows the navigation in the remote
 * browser.
 */
export class AddressLine {
  readonly #line = find('.address');
  #browser: CloudBrowserElement | undefined;

  /**
   * Shows the start address of a session, then follows its active page from the connection on. Empty without
   * a session.
   */
  follow(browser: CloudBrowserElement | undefined, address = ''): void {
    this.#browser = browser;
    this.#show(address);
    browser?.addEventListener('connect', () => void this.#listen(browser), { once: true });
  }

  /** Without the role `chrome_apis` a session reports no tabs. The line then stays at the start page. */
  async #listen(browser: CloudBrowserElement): Promise<void> {
    const { client } = browser;
    if (!client) return;
    const look = () => void this.#look(browser, client);
    const { onActivated, onUpdated, onReplaced, onRemoved, onReconnected } = client.tabs;
    await Promise.all(
      [onActivated, onUpdated, onReplaced, onRemoved, onReconnected].map((event) => event.addListener(look)),
    ).catch(() => undefined);
    look();
  }

  async #look(browser: CloudBrowserElement, client: CloudBrowserClient): Promise<void> {
    const [tab] = await client.tabs.query({ active: true, lastFocusedWindow: true }).catch(() => []);
    if (this.#browser === browser && tab?.url !== undefined) this.#show(tab.url);
  }

  #show(address: string): void {
    this.#line.textContent = address.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '');
    this.#line.title = address;
  }
}
