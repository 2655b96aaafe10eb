import type { Clock } from '../../../platform/clock.js';
import { Watchdog } from '../../../platform/watchdog.js';
import type { CdpSession } from '../cdp/cdp-session.js';
import type { Pages } from './pages.js';

/** Far beyond what the watchdog waits; a page that does not answer for longer is told of once more. */
const ANSWER_TIMEOUT_MS = 60_000;
/** A browser that works answers sooner on a busy machine too; one that hangs is told of by others. */
const BROWSER_TIMEOUT_MS = 2_000;

/**
 * Tells when the page in front, or the one that it goes to, does not answer while people act on it. Nobody misses the answers of a page
 * that nobody touches, and asking it would keep the processor busy; so only a page that somebody acts on is asked. A page that shows a
 * dialog waits for its answer.
 */
export class PageWatch {
  #acted = false;
  #closed = false;
  #watchdog: Watchdog | undefined;
  #question: Promise<unknown> = Promise.resolve();

  /** @param onHang told with the milliseconds without an answer */
  constructor(
    private readonly pages: Pick<Pages, 'front'>,
    private readonly browser: CdpSession,
    private readonly clock: Clock,
    private readonly onHang: (milliseconds: number) => void,
  ) {
    this.#watch();
  }

  /** Somebody has acted on the session. */
  acted(): void {
    this.#acted = true;
  }

  close(): void {
    this.#closed = true;
    this.#watchdog?.stop();
  }

  #watch(): void {
    if (this.#closed) return;
    this.#watchdog = Watchdog.start({
      clock: this.clock,
      ask: () => (this.#question = this.#ask()),
      onHang: (milliseconds) => void this.#onHang(milliseconds),
    });
  }

  async #ask(): Promise<void> {
    if (!this.#acted) return;
    this.#acted = false;
    const page = await this.pages.front();
    if (!page || page.inDialog) return;
    await page.send('Runtime.evaluate', { expression: '1' }, ANSWER_TIMEOUT_MS);
  }

  async #onHang(milliseconds: number): Promise<void> {
    // It may have opened a dialog after it was asked.
    const page = await this.pages.front().catch(() => undefined);
    const isItself = await this.browser.send('Browser.getVersion', {}, BROWSER_TIMEOUT_MS).then(
      () => true,
      () => false,
    );
    if (page && !page.inDialog && isItself && !this.#closed) this.onHang(milliseconds);
    // What answers late, ends or is given up is watched again.
    await this.#question.catch(() => undefined);
    this.#watch();
  }
}
