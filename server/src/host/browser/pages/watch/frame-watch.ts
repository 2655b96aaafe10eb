import type { Clock } from '../../../../platform/time/clock.js';
import { Watchdog } from '../../../../platform/process/watchdog.js';
import { withTimeout } from '../../../../platform/time/timeout.js';
import type { CdpSession } from '../../cdp/cdp-session.js';
import type { Pages } from '../pages.js';

/**
 * Timeout for the answer of a page. The watchdog's limit is much shorter, so the watchdog reports a missing
 * answer first.
 */
const ANSWER_TIMEOUT_MS = 60_000;
/**
 * Timeout for the page, the browser and the display to answer. If they work, they answer sooner, also on a
 * busy machine.
 */
const CONFIRM_TIMEOUT_MS = 2_000;
/** Name of the isolated world for the request. A page cannot replace `requestAnimationFrame` in it. */
const WORLD = 'session-frames';

/**
 * Script that resolves to true when the page's next frame begins. It resolves to false if no frame is
 * expected, because the page is hidden or still loading. While a page loads, a slow style sheet may delay its
 * frames.
 */
const NEXT_FRAME = `new Promise((resolve) => {
  const idle = () => document.visibilityState !== 'visible' || document.readyState !== 'complete';
  if (idle()) return resolve(false);
  const over = new AbortController();
  const settle = (painted) => (over.abort(), resolve(painted));
  for (const type of ['visibilitychange', 'readystatechange'])
    document.addEventListener(type, () => idle() && settle(false), { signal: over.signal });
  requestAnimationFrame(() => settle(true));
})`;

/** Dependencies of a {@link FrameWatch}. */
export interface FrameWatchParts {
  pages: Pick<Pages, 'front' | 'mainFrame'>;
  clock: Clock;
  /**
   * Resolves when the browser and the display have answered. Frames depend on both of them. Each of them has
   * its own watchdog.
   */
  othersAnswer(): Promise<unknown>;
  /** Called with the milliseconds without a frame, when the GPU process hangs. */
  onHang(milliseconds: number): void;
}

/**
 * Detects a hanging GPU process of Chromium. The GPU process starts each frame of a page and draws it. So the
 * host requests the next frame from the active page. This checks the whole path of a picture, and costs only
 * one empty frame. If the page, the browser and the display answer but the frame is missing, the GPU process
 * hangs. After a hang, the next hang is reported only after a frame has arrived. Otherwise a process that was
 * just restarted would be ended again and again.
 */
export class FrameWatch {
  readonly #worlds = new WeakMap<CdpSession, Promise<number>>();
  #watchdog: Watchdog | undefined;
  #closed = false;
  #reported = false;
  /** The page that received the last request, and that request. */
  #page: CdpSession | undefined;
  #question: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: FrameWatchParts) {
    this.#watch();
  }

  close(): void {
    this.#closed = true;
    this.#watchdog?.stop();
  }

  #watch(): void {
    if (this.#closed) return;
    const { clock } = this.parts;
    this.#watchdog = Watchdog.start({
      clock,
      ask: () => (this.#question = this.#ask()),
      onHang: (milliseconds) => void this.#onSilence(milliseconds),
    });
  }

  async #ask(): Promise<void> {
    // Asks the last page first, because finding the active page requires a request to all pages.
    const painted = this.#page && (await this.#painted(this.#page));
    if (painted) return;
    const front = await this.parts.pages.front();
    const other = front !== this.#page;
    this.#page = front;
    if (front && other) await this.#painted(front);
  }

  async #painted(page: CdpSession): Promise<boolean> {
    const frameId = this.parts.pages.mainFrame(page);
    if (page.inDialog || frameId === undefined) return false;
    try {
      const contextId = await this.#world(page, frameId);
      const question = { expression: NEXT_FRAME, contextId, awaitPromise: true, returnByValue: true };
      const { result } = await page.send('Runtime.evaluate', question, ANSWER_TIMEOUT_MS);
      if (result.value === true) this.#reported = false;
      return result.value === true;
    } catch {
      // The page is gone, or another document replaced the one that was asked.
      this.#worlds.delete(page);
      return false;
    }
  }

  /** Returns the isolated world of a page's document. Creates the world once for each document. */
  #world(page: CdpSession, frameId: string): Promise<number> {
    const known = this.#worlds.get(page);
    if (known) return known;
    const made = page
      .send('Page.createIsolatedWorld', { frameId, worldName: WORLD }, ANSWER_TIMEOUT_MS)
      .then(({ executionContextId }) => executionContextId);
    this.#worlds.set(page, made);
    // A new document has other worlds, whose ids may be equal to the ids of the old worlds.
    const stop = page.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId !== undefined) return;
      stop();
      if (this.#worlds.get(page) === made) this.#worlds.delete(page);
    });
    return made;
  }

  async #onSilence(milliseconds: number): Promise<void> {
    if (!this.#reported && (await this.#onlyFramesAreMissing()) && !this.#closed) {
      this.#reported = true;
      this.parts.onHang(milliseconds);
    }
    // Starts the next check after the late answer or the timeout.
    await this.#question.catch(() => undefined);
    this.#watch();
  }

  async #onlyFramesAreMissing(): Promise<boolean> {
    const page = this.#page;
    if (!page || page.inDialog) return false;
    let open = true;
    void this.#question.finally(() => (open = false)).catch(() => undefined);
    const answers = Promise.all([
      page.send('Runtime.evaluate', { expression: '1' }, CONFIRM_TIMEOUT_MS),
      this.parts.othersAnswer(),
    ]).then(
      () => open && !page.inDialog,
      () => false,
    );
    return withTimeout(answers, CONFIRM_TIMEOUT_MS, () => false, this.parts.clock);
  }
}
