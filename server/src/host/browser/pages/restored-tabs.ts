import type { CdpConnection } from '../cdp/cdp-connection.js';
import type { CdpSession } from '../cdp/cdp-session.js';
import type { AttachedTarget } from '../cdp/targets.js';
import { RestoredTab } from './restored-tab.js';

/** Chromium reads the tabs of a profile within milliseconds; this allows for a machine that is busy. */
const RESTORE_TIMEOUT_MS = 10_000;
/** For an answer of the browser, which is running. */
const ANSWER_TIMEOUT_MS = 5_000;

/** The tabs of a profile that come back with the first window, beside the empty page that this is opened with. */
export class RestoredTabs {
  #shown = false;
  #empty: string | undefined;
  readonly #tabs: string[] = [];
  #onTab: () => void = () => undefined;

  /** @param front which of the tabs comes to the front, from 0 */
  constructor(private readonly front: number) {}

  /** Looks at a page that was attached; what holds it back, if it is such a tab. */
  meet(page: CdpSession, { targetId }: AttachedTarget['info']): RestoredTab | undefined {
    if (this.#shown) return undefined;
    if (this.#empty === undefined) {
      this.#empty = targetId;
      return undefined;
    }
    this.#tabs.push(targetId);
    this.#onTab();
    return new RestoredTab(page, targetId);
  }

  /** Whether a page is such a tab. */
  has(targetId: string): boolean {
    return this.#tabs.includes(targetId);
  }

  /** The empty page is open beside the tabs. */
  get hasEmpty(): boolean {
    return !this.#shown;
  }

  /** Brings the tab to the front that was there, and closes the empty page. False when no tab came back. */
  async show({ browser }: CdpConnection): Promise<boolean> {
    await this.#first();
    // The tabs of a window come in one go: all of them are known before the browser answers anything else.
    await browser.send('Browser.getVersion', {}, ANSWER_TIMEOUT_MS);
    this.#shown = true;
    const front = this.#tabs[this.front] ?? this.#tabs[0];
    if (this.#empty === undefined || front === undefined) return false;
    await browser.send('Target.activateTarget', { targetId: front });
    await browser.send('Target.closeTarget', { targetId: this.#empty });
    return true;
  }

  #first(): Promise<void> {
    if (this.#tabs.length > 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, RESTORE_TIMEOUT_MS);
      this.#onTab = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
