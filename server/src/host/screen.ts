import type { Pages } from './browser/pages/pages.js';
import { expectRepaint } from './browser/pages/repaint.js';
import { ScreenSource } from './capture/screen-source.js';
import type { Display } from './display/display.js';
import { modeFor } from './display/modes.js';
import type { WindowFit } from './display/window-fit.js';
import type { InputDevices } from './input/input-devices.js';

/** What takes part when the screen gets another size. */
export interface ScreenUsers {
  windowFit: WindowFit;
  pages: Pages;
  devices: InputDevices;
  /** Pages do not see the size of the screen. */
  emulated: boolean;
}

/** What is on the display, at whatever size it has. */
export class Screen {
  #close: () => void = () => undefined;
  #closed = false;
  readonly #whenClosed = new Promise<void>((resolve) => (this.#close = resolve));

  private constructor(
    private readonly display: Display,
    private readonly refresh: number,
    private current: ScreenSource,
  ) {}

  /** @param refresh of the display, in hertz */
  static async open(display: Display, refresh: number): Promise<Screen> {
    return new Screen(display, refresh, await ScreenSource.open(display.address));
  }

  /** Another one after every {@link resize}. */
  get source(): ScreenSource {
    return this.current;
  }

  /**
   * Gives the screen another size. Resolves when the browser has painted at that size, or did not in time. The
   * {@link source} must not be read meanwhile. Rejects when the display cannot have the size, or when the screen is closed.
   */
  async resize(size: { width: number; height: number }, users: ScreenUsers): Promise<void> {
    // A display that is gone never answers.
    const gone = this.#whenClosed.then(() => {
      throw new Error('The display is being stopped.');
    });
    await Promise.race([this.#resize(size, users), gone]);
  }

  close(): void {
    this.#closed = true;
    this.#close();
    this.current.close();
  }

  async #resize(size: { width: number; height: number }, users: ScreenUsers): Promise<void> {
    const { windowFit, pages, devices, emulated } = users;
    const page = await pages.front();
    const { width, height } = this.current;
    const growth = { width: size.width - width, height: size.height - height };
    const repainted = page && (await expectRepaint(page, growth, emulated));
    await windowFit.expect(size);
    await this.display.setMode(modeFor(size.width, size.height, this.refresh));
    devices.resized(size);
    if (repainted) await repainted();
    const next = await ScreenSource.open(this.display.address);
    this.current.close();
    this.current = next;
    if (this.#closed) next.close();
  }
}
