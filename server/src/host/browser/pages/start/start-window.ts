import type { HostSession } from '../../../../host-protocol.js';
import { chromiumAddress } from '../../../../platform/network/new-tab-page.js';
import { pause, waitingTimers } from '../../../../platform/time/clock.js';
import type { CdpConnection } from '../../cdp/cdp-connection.js';
import { opensLater, restoresAtStart, restoresLater } from '../../launch/arguments.js';
import type { Pages } from '../pages.js';
import { fitted, opensTooWide } from './fitted-window.js';
import type { RestoredTabs } from './restored-tabs.js';

/** Options of a session for its start page. */
type StartPage = Pick<
  HostSession,
  'startUrl' | 'restoreTabs' | 'kiosk' | 'userAgent' | 'fieldMasking' | 'width'
>;

/**
 * Retry interval and timeout for opening a window. Chromium refuses a new window while its last one is still
 * closing.
 */
const RETRY_INTERVAL_MS = 100;
const OPEN_TIMEOUT_MS = 10_000;
/**
 * Limits for a start page that closes itself. If the page was open for a shorter time than the first value,
 * the host waits before it opens the page again. The second value is the first pause. The pause doubles each
 * time, up to the third value.
 */
const SHORT_LIFETIME_MS = 1_000;
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;

/**
 * The window that shows the start page. Chromium keeps running without a window if it was started with
 * `--no-startup-window`. So whenever the last page is closed, by a user or by itself, this class opens the
 * start page again.
 */
export class StartWindow {
  #reopening = false;
  /** Time when the window was last opened, on the clock of `performance.now()`. */
  #opened = -Infinity;
  #pauseMs = 0;

  /**
   * @param onFailure called when the browser runs but can no longer open a window
   * @param restored the tabs that the first window restores, if any
   */
  constructor(
    private readonly cdp: CdpConnection,
    private readonly pages: Pages,
    private session: StartPage,
    private readonly onFailure: () => void,
    private readonly restored?: RestoredTabs,
  ) {
    // A browser with restored tabs is closed together with its last window. Otherwise a new window would
    // restore the closed tabs again and again.
    pages.onLastClosed = () => {
      if (restoresLater(this.session)) cdp.browser.post('Browser.close', {});
      else void this.#reopen();
    };
  }

  /**
   * Opens the window. Its page is empty if {@link load} must open the start page later. Rejects if the
   * browser opens no window in time.
   */
  async open(): Promise<void> {
    const { startUrl, kiosk } = this.session;
    const url = this.#opensEmpty ? 'about:blank' : chromiumAddress(startUrl);
    const deadline = performance.now() + OPEN_TIMEOUT_MS;
    for (;;) {
      try {
        // `--kiosk` works only for windows that the browser opens by itself at its start.
        const state = kiosk ? ({ windowState: 'fullscreen' } as const) : {};
        // Waits until the deadline. A busy browser also opens a window that it announces late, so a second
        // request would open another one.
        const left = Math.max(deadline - performance.now(), 0);
        await this.cdp.browser.send('Target.createTarget', { url, newWindow: true, ...state }, left);
        this.#opened = performance.now();
        return;
      } catch (error) {
        if (this.pages.hasAny()) return;
        if (this.cdp.closed || performance.now() >= deadline) throw error;
      }
      await pause(waitingTimers, RETRY_INTERVAL_MS);
      if (this.pages.hasAny()) return;
    }
  }

  /** Loads the page or tabs that had to wait until the browser and its window were prepared. */
  async load(): Promise<void> {
    if (!this.#opensEmpty || restoresAtStart(this.session)) return;
    if (await this.restored?.show(this.cdp)) return;
    await this.#fill();
  }

  /** Sets another start page and loads it into the empty window. */
  async become(session: StartPage): Promise<void> {
    this.session = session;
    await this.pages.open(chromiumAddress(session.startUrl));
  }

  async #reopen(): Promise<void> {
    if (this.#reopening) return;
    this.#reopening = true;
    try {
      while (!this.pages.hasAny()) {
        const short = performance.now() - this.#opened < SHORT_LIFETIME_MS;
        this.#pauseMs = short ? Math.min(Math.max(this.#pauseMs * 2, FIRST_PAUSE_MS), MAX_PAUSE_MS) : 0;
        if (short) await pause(waitingTimers, this.#pauseMs);
        if (!this.pages.hasAny()) await this.open();
      }
    } catch {
      if (!this.cdp.closed && !this.pages.hasAny()) this.onFailure();
      return;
    } finally {
      this.#reopening = false;
    }
    if (!this.#opensEmpty) return;
    // Ignores failures. If the window is closed meanwhile, `onLastClosed` opens it again.
    await this.#fill().catch(() => undefined);
  }

  /** True if the window is first empty. {@link load} opens the start page later. */
  get #opensEmpty(): boolean {
    return opensLater(this.session) || opensTooWide(this.session);
  }

  /** Opens the start page in the empty window, when the window has the size of the screen. */
  async #fill(): Promise<void> {
    const { startUrl, width } = this.session;
    const page = opensTooWide(this.session) ? await this.pages.front() : undefined;
    if (page) await fitted(page, width);
    await this.pages.open(chromiumAddress(startUrl));
  }
}
