import type { HostSession } from '../../../../host-protocol.js';
import type { Size } from '../../../../platform/screen-size.js';
import type { Clock } from '../../../../platform/time/clock.js';
import { repeat, type Repetition } from '../../../../platform/time/repeat.js';
import { StreamHub } from '../../../stream/stream-hub.js';
import { streamParts } from '../../../stream/stream-parts.js';
import type { StreamViewer } from '../../../stream/video-stream.js';
import type { RecordedStreams } from '../recorder.js';
import type { MaskedScreen, OpenedScreen } from './masked-screen.js';
import { MaskedSource } from './masked-source.js';

/**
 * Milliseconds between two checks. A check opens the screen again if its size has changed or the stream has
 * failed.
 */
const CHECK_MS = 500;

/** Dependencies of {@link MaskedStreams}. */
export interface MaskedStreamsParts {
  session: Pick<HostSession, 'quality' | 'fps'>;
  clock: Clock;
  /** Returns the size of the screen. Undefined while the size changes. */
  size: () => Size | undefined;
}

/** The stream of one open screen. */
interface Shown {
  hub: StreamHub;
  source: MaskedSource;
  screen: OpenedScreen;
}

/**
 * Stream for a recorder that may not see masked fields. The stream of the viewers shows these fields. So this
 * class reads and encodes the screen once more for the recorder.
 */
export class MaskedStreams implements RecordedStreams {
  readonly #checks: Repetition;
  #viewer: StreamViewer | undefined;
  #browser: MaskedScreen | undefined;
  #shown: Shown | undefined;
  #opening = false;
  #closed = false;

  constructor(private readonly parts: MaskedStreamsParts) {
    this.#checks = repeat(parts.clock, { every: CHECK_MS, first: 0 }, () => this.#check());
  }

  /** Shows the screen of a browser. `browser` is undefined if no browser is running. */
  use(browser: MaskedScreen | undefined): void {
    if (this.#browser === browser) return;
    this.#hide();
    this.#browser = browser;
  }

  add(viewer: StreamViewer): void {
    this.#viewer = viewer;
    this.#shown?.hub.add(viewer);
  }

  remove(viewer: StreamViewer): void {
    if (this.#viewer === viewer) this.#viewer = undefined;
    this.#shown?.hub.remove(viewer);
  }

  acknowledged(viewer: StreamViewer, stream: number, frame: number): void {
    this.#shown?.hub.acknowledged(viewer, stream, frame);
  }

  requestKeyFrame(viewer: StreamViewer): void {
    this.#shown?.hub.requestKeyFrame(viewer);
  }

  refresh(viewer: StreamViewer): void {
    this.#shown?.hub.refresh(viewer);
  }

  close(): void {
    this.#closed = true;
    this.#checks.stop();
    this.#hide();
  }

  async #check(): Promise<void> {
    const size = this.parts.size();
    const { screen } = this.#shown ?? {};
    if (screen && size && (size.width !== screen.width || size.height !== screen.height)) this.#hide();
    const browser = this.#browser;
    if (this.#shown || this.#opening || !browser || !size) return;
    this.#opening = true;
    // Opening the screen fails if the display is ending. The next check tries again.
    const opened = await browser.openScreen().catch(() => undefined);
    this.#opening = false;
    if (!opened) return;
    if (this.#closed || this.#browser !== browser) opened.close();
    else this.#show(browser, opened);
  }

  #show(browser: MaskedScreen, screen: OpenedScreen): void {
    const { session, clock } = this.parts;
    const source = new MaskedSource(screen, () => browser.maskedAreas({ passwords: true }), clock);
    const hub = new StreamHub(
      (media, size) => streamParts(session, media, size),
      () => {
        if (this.#shown?.hub === hub) this.#hide();
      },
    );
    this.#shown = { hub, source, screen };
    hub.show(source);
    if (this.#viewer) hub.add(this.#viewer);
  }

  #hide(): void {
    const shown = this.#shown;
    if (!shown) return;
    this.#shown = undefined;
    shown.source.close();
    // The screen may be closed only when no read is running.
    void shown.hub.pause().finally(() => {
      shown.hub.close();
      shown.screen.close();
    });
  }
}
