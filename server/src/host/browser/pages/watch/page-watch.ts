import type { Clock } from '../../../../platform/time/clock.js';
import { Watchdog } from '../../../../platform/process/watchdog.js';
import type { CdpSession } from '../../cdp/cdp-session.js';
import type { Pages } from '../pages.js';

/**
 * Timeout for the answer of a page. The watchdog's limit is much shorter. A page that does not answer within
 * this timeout is reported again.
 */
const ANSWER_TIMEOUT_MS = 60_000;
/**
 * Timeout for the browser's own answer. A working browser answers sooner, also on a busy machine. Another
 * watchdog reports a browser that hangs.
 */
const BROWSER_TIMEOUT_MS = 2_000;

/**
 * Reports if the active page, or the page to which it navigates, does not answer while users act on it. This
 * class checks only pages in use, because a check costs processor time, and because a hanging page that
 * nobody uses disturbs no user. It does not check pages with an open dialog.
 */
export class PageWatch {
  #acted = false;
  #closed = false;
  #watchdog: Watchdog | undefined;
  #question: Promise<unknown> = Promise.resolve();

  /** @param onHang called with the milliseconds without an answer */
  constructor(
    private readonly pages: Pick<Pages, 'front'>,
    private readonly browser: CdpSession,
    private readonly clock: Clock,
    private readonly onHang: (milliseconds: number) => void,
  ) {
    this.#watch();
  }

  /** Records that a user acted on the session. */
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
    // Looks at the page again, because it may have opened a dialog after the request.
    const page = await this.pages.front().catch(() => undefined);
    const isItself = await this.browser.send('Browser.getVersion', {}, BROWSER_TIMEOUT_MS).then(
      () => true,
      () => false,
    );
    if (page && !page.inDialog && isItself && !this.#closed) this.onHang(milliseconds);
    // Starts the next check after the late answer, the failure or the timeout.
    await this.#question.catch(() => undefined);
    this.#watch();
  }
}
