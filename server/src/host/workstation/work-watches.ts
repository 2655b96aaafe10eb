import type { ManagedProcess } from '../../platform/process/child-process.js';
import { systemClock, type Clock } from '../../platform/time/clock.js';
import type { Chromium } from '../browser/launch/chromium.js';
import { endGpuProcess } from '../browser/launch/browser-processes.js';
import { FrameWatch } from '../browser/pages/watch/frame-watch.js';
import { PageWatch } from '../browser/pages/watch/page-watch.js';
import type { Pages } from '../browser/pages/pages.js';
import type { Display } from '../display/display.js';
import type { WindowManagerPing } from '../display/windows/window-manager-ping.js';
import { watchParts, type PartHang } from './part-watch.js';

/** The parts of a workstation that are checked for answers. */
export interface AskedParts {
  display: Pick<Display, 'answers'> & { process: Pick<ManagedProcess, 'name' | 'kill'> };
  windowManager: Pick<ManagedProcess, 'name' | 'kill'>;
  ping: Pick<WindowManagerPing, 'answers'>;
  chromium: Pick<Chromium, 'cdp' | 'answers'> & { process: Pick<ManagedProcess, 'name' | 'kill' | 'pid'> };
  pages: Pick<Pages, 'front' | 'mainFrame'>;
}

/** Receives the reports of a {@link WorkWatches}. */
export interface HangListener {
  /** Called when a part does not answer. The host ends the part. */
  onHang(hang: PartHang): void;
  /** Called when the active page has not answered for this time although a user acts on it. */
  onPageHung(milliseconds: number): void;
}

/** Checks that the parts of a workstation answer, from the workstation's start to its end. */
export class WorkWatches {
  #watches: Watches | undefined;
  #closed = false;

  constructor(
    private readonly parts: AskedParts,
    private readonly listener: HangListener,
    private readonly clock: Clock = systemClock,
  ) {
    this.#watches = new Watches(parts, listener, clock);
  }

  /** Pauses all checks while the parts are frozen, or starts them again. */
  pause(paused: boolean): void {
    this.#watches?.close();
    this.#watches = paused || this.#closed ? undefined : new Watches(this.parts, this.listener, this.clock);
  }

  /** Reports that a user has acted on the session. */
  acted(): void {
    this.#watches?.acted();
  }

  close(): void {
    this.#closed = true;
    this.pause(true);
  }
}

/** The checks, until they are paused. */
class Watches {
  readonly #stopParts: () => void;
  readonly #pageWatch: PageWatch;
  readonly #frameWatch: FrameWatch;

  constructor(
    { display, windowManager, ping, chromium, pages }: AskedParts,
    listener: HangListener,
    clock: Clock,
  ) {
    const browser = chromium.process.pid;
    this.#stopParts = watchParts(
      [
        { process: display.process, answers: () => display.answers() },
        { process: windowManager, answers: () => ping.answers() },
        { process: chromium.process, answers: () => chromium.answers() },
      ],
      (hang) => listener.onHang(hang),
      clock,
    );
    this.#pageWatch = new PageWatch(pages, chromium.cdp.browser, clock, (milliseconds) =>
      listener.onPageHung(milliseconds),
    );
    this.#frameWatch = new FrameWatch({
      pages,
      clock,
      othersAnswer: () => Promise.all([display.answers(), chromium.answers()]),
      onHang: (milliseconds) => {
        listener.onHang({ name: 'The GPU process', milliseconds, alone: true });
        endGpuProcess(browser);
      },
    });
  }

  acted(): void {
    this.#pageWatch.acted();
  }

  close(): void {
    this.#stopParts();
    this.#pageWatch.close();
    this.#frameWatch.close();
  }
}
