import type { HostSession } from '../../../host-protocol.js';
import type { CdpConnection } from '../cdp/cdp-connection.js';
import { opensLater, restoresLater, startAddress } from '../launch/arguments.js';
import type { Pages } from './pages.js';
import type { RestoredTabs } from './restored-tabs.js';

/** What a session says of its start page. */
type StartPage = Pick<HostSession, 'startUrl' | 'restoreTabs' | 'kiosk' | 'userAgent' | 'fieldMasking'>;

/** Chromium refuses a new window while its last one is still closing. */
const RETRY_INTERVAL_MS = 100;
const OPEN_TIMEOUT_MS = 10_000;
/** A start page that closes itself is opened again ever more slowly: each time that it lived no longer than this, after twice the pause. */
const SHORT_LIFE_MS = 1_000;
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;

/**
 * The window that shows the start page. Chromium runs on without a window when it was started with `--no-startup-window`; so whenever
 * the last page is closed, by hand or by itself, this opens the start page anew.
 */
export class StartWindow {
  #reopening = false;
  /** When the window was opened last, on the clock of `performance.now()`. */
  #opened = -Infinity;
  #pauseMs = 0;

  /**
   * @param onFailure told when the browser opens no window any more, although it runs
   * @param restored the tabs that come with the first window, if any do
   */
  constructor(
    private readonly cdp: CdpConnection,
    private readonly pages: Pages,
    private session: StartPage,
    private readonly onFailure: () => void,
    private readonly restored?: RestoredTabs,
  ) {
    // A browser that restores tabs into a new window would restore those that were closed, again and again. So it ends, as one does
    // that restored them at its start.
    pages.onLastClosed = () => {
      if (restoresLater(this.session)) cdp.browser.post('Browser.close', {});
      else void this.#reopen();
    };
  }

  /** Opens the window; its page is empty when that has to wait for {@link load}. Rejects when the browser opens none in time. */
  async open(): Promise<void> {
    const { startUrl, kiosk } = this.session;
    const url = opensLater(this.session) ? 'about:blank' : startAddress(startUrl);
    const deadline = performance.now() + OPEN_TIMEOUT_MS;
    for (;;) {
      try {
        // `--kiosk` counts for windows that the browser opens by itself at its start.
        const state = kiosk ? ({ windowState: 'fullscreen' } as const) : {};
        await this.cdp.browser.send('Target.createTarget', { url, newWindow: true, ...state });
        this.#opened = performance.now();
        return;
      } catch (error) {
        if (this.pages.hasAny()) return;
        if (this.cdp.closed || performance.now() > deadline) throw error;
      }
      await pause(RETRY_INTERVAL_MS);
      if (this.pages.hasAny()) return;
    }
  }

  /** Loads what had to wait until the browser was ready for it. */
  async load(): Promise<void> {
    if (!opensLater(this.session)) return;
    if (await this.restored?.show(this.cdp)) return;
    await this.pages.open(startAddress(this.session.startUrl));
  }

  /** Has the window, whose page is empty, show this start page from now on. */
  async become(session: StartPage): Promise<void> {
    this.session = session;
    await this.pages.open(startAddress(session.startUrl));
  }

  async #reopen(): Promise<void> {
    if (this.#reopening) return;
    this.#reopening = true;
    try {
      while (!this.pages.hasAny()) {
        const short = performance.now() - this.#opened < SHORT_LIFE_MS;
        this.#pauseMs = short ? Math.min(Math.max(this.#pauseMs * 2, FIRST_PAUSE_MS), MAX_PAUSE_MS) : 0;
        if (short) await pause(this.#pauseMs);
        if (!this.pages.hasAny()) await this.open();
      }
    } catch {
      if (!this.cdp.closed && !this.pages.hasAny()) this.onFailure();
      return;
    } finally {
      this.#reopening = false;
    }
    if (!opensLater(this.session)) return;
    // A window that is closed meanwhile is opened anew.
    await this.pages.open(startAddress(this.session.startUrl)).catch(() => undefined);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
