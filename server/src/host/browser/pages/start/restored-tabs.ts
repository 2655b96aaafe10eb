import type { CdpConnection } from '../../cdp/cdp-connection.js';
import type { CdpSession } from '../../cdp/cdp-session.js';
import type { AttachedTarget } from '../../cdp/targets.js';
import { RestoredTab } from './restored-tab.js';

/**
 * Timeout for Chromium to read the tabs of a profile. This usually takes milliseconds. The remaining time is
 * for busy machines.
 */
const RESTORE_TIMEOUT_MS = 10_000;
/** Timeout for an answer of the running browser. */
const ANSWER_TIMEOUT_MS = 5_000;

/**
 * The restored tabs of a profile, which open with the first window. The window also has an empty page, with
 * which the host opened it.
 */
export class RestoredTabs {
  #shown = false;
  #empty: string | undefined;
  readonly #tabs: string[] = [];
  #onTab: () => void = () => undefined;

  /** @param front index of the tab that becomes active, from 0 */
  constructor(private readonly front: number) {}

  /**
   * Checks if an attached page is a restored tab. If so, returns the object that keeps the page waiting until
   * it is prepared.
   */
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

  /** True if a page is a restored tab. */
  has(targetId: string): boolean {
    return this.#tabs.includes(targetId);
  }

  /** True while the empty page is open beside the tabs. */
  get hasEmpty(): boolean {
    return !this.#shown;
  }

  /**
   * Activates the tab that was active in the saved profile, and closes the empty page. Resolves to false if
   * no tab was restored.
   */
  async show({ browser }: CdpConnection): Promise<boolean> {
    await this.#first();
    // The browser reports all tabs of a window before it answers the next command.
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
