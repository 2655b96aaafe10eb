import { withTimeout } from '../../platform/time/timeout.js';
import { pixelsOf, type ScreenShape, type Size } from '../../platform/screen-size.js';
import type { FocusWatch } from '../browser/focus/focus-watch.js';
import type { Pages } from '../browser/pages/pages.js';
import { expectRepaint } from '../browser/pages/repaint.js';
import { ScreenSource } from '../capture/screen-source.js';
import type { Display } from '../display/display.js';
import type { DisplayScale } from '../display/display-scale.js';
import { modeFor } from '../display/modes.js';
import type { WindowFit } from '../display/windows/window-fit.js';
import type { InputDevices } from '../input/input-devices.js';

/** Timeout of each step of a mode change. A mode change normally takes about 10 ms. Milliseconds. */
const CONFIRM_TIMEOUT_MS = 4_000;

type Changeable = Pick<Display, 'address' | 'setMode' | 'renew'>;

/** Parts of a session that must react when the screen's size or pixel ratio changes. */
export interface ScreenUsers {
  windowFit: Pick<WindowFit, 'expect'>;
  pages: Pick<Pages, 'front' | 'pixelRatio'>;
  focus: Pick<FocusWatch, 'pixelRatio'> | undefined;
  devices: Pick<InputDevices, 'resized'>;
  /** Set in sessions whose pixel ratio may change. */
  scale: Pick<DisplayScale, 'set'> | undefined;
  /** True if pages have an emulated size and do not see the size of the screen. */
  emulated: boolean;
}

/** The screen of a display. Provides its contents and changes its size. */
export class Screen {
  #close: () => void = () => undefined;
  #closed = false;
  readonly #whenClosed = new Promise<void>((resolve) => (this.#close = resolve));

  private constructor(
    private readonly display: Changeable,
    private refresh: number,
    private readonly open: (address: Display['address']) => Promise<ScreenSource>,
    private current: ScreenSource,
  ) {}

  /** @param refresh refresh rate of the display, in hertz */
  static async open(
    display: Changeable,
    refresh: number,
    open = (address: Display['address']) => ScreenSource.open(address),
  ): Promise<Screen> {
    return new Screen(display, refresh, open, await open(display.address));
  }

  /** Refresh rate in hertz, used from the next {@link resize} on. */
  get refreshRate(): number {
    return this.refresh;
  }

  set refreshRate(hertz: number) {
    this.refresh = hertz;
  }

  /** The source of frames. Each {@link resize} replaces it. */
  get source(): ScreenSource {
    return this.current;
  }

  /**
   * Changes the size and the pixel ratio of the screen. Resolves when the browser has painted at the new
   * size. If this takes too long, resolves without it. Do not read the {@link source} meanwhile. Rejects if
   * the display cannot have the size or does not confirm it, or if the screen is closed.
   */
  async resize(shape: ScreenShape, users: ScreenUsers): Promise<void> {
    // A display that has ended sends no answer. So this method also rejects when the screen is closed.
    const gone = this.#whenClosed.then(() => {
      throw new Error('The display is being stopped.');
    });
    await Promise.race([this.#resize(shape, users), gone]);
  }

  close(): void {
    this.#closed = true;
    this.#close();
    this.current.close();
  }

  async #resize(shape: ScreenShape, users: ScreenUsers): Promise<void> {
    const { windowFit, pages, emulated } = users;
    const page = await pages.front();
    const size = pixelsOf(shape);
    const { width, height } = this.current;
    const ratio = shape.pixelRatio / pages.pixelRatio;
    const growth = { width: size.width - width, height: size.height - height, ratio };
    const repainted = page && (await expectRepaint(page, growth, emulated));
    await confirmed(windowFit.expect(size));
    try {
      await confirmed(this.display.setMode(modeFor(size.width, size.height, this.refresh)));
    } catch (error) {
      this.display.renew();
      // The display's size may have changed despite the error.
      await this.#look(users).catch(() => undefined);
      throw error;
    }
    if (ratio !== 1) users.scale?.set(shape.pixelRatio);
    pages.pixelRatio = shape.pixelRatio;
    if (users.focus) users.focus.pixelRatio = shape.pixelRatio;
    users.devices.resized(size);
    if (repainted) await repainted();
    await this.#look(users);
  }

  /** Reads the display's actual size and opens a new source. */
  async #look({ devices }: ScreenUsers): Promise<void> {
    const opening = this.open(this.display.address);
    // Closes a source that opens after the timeout.
    const next = await confirmed(opening).catch((error: unknown) => {
      void opening.then((late) => late.close()).catch(() => undefined);
      throw error;
    });
    const { width, height }: Size = next;
    devices.resized({ width, height });
    this.current.close();
    this.current = next;
    if (this.#closed) next.close();
  }
}

/** Resolves to the display's answer. Rejects on timeout. */
async function confirmed<T>(work: Promise<T>): Promise<T> {
  const late = new Error('The display does not confirm a change of its size.');
  return await withTimeout(work, CONFIRM_TIMEOUT_MS, () => Promise.reject(late));
}
