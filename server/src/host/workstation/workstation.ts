import type { Cursor } from 'cloud-browser/protocol';
import type { HostPlace, HostSession } from '../../host-protocol.js';
import { pixelsOf, type ScreenShape } from '../../platform/screen-size.js';
import type { SessionLimits } from '../../platform/session-limits.js';
import type { CdpSession } from '../browser/cdp/cdp-session.js';
import { ClickedElements } from '../browser/pages/clicked-elements.js';
import { dropContent } from '../browser/files/drop-files.js';
import { printPage, titleOf } from '../browser/files/print-page.js';
import { endAudioService, endRenderer } from '../browser/launch/browser-processes.js';
import type { FrameSource, Rect } from '../capture/frame-source.js';
import { ScreenCamera } from '../capture/screen-camera.js';
import { ScreenSource } from '../capture/screen-source.js';
import { collectGarbage } from '../browser/pages/collect-garbage.js';
import { watchTabs, type TabListener } from '../browser/pages/tab-watch.js';
import { CursorWatch } from '../display/cursor-watch.js';
import type { EarlyParts } from './early-parts.js';
import { refreshOf } from './screen-mode.js';
import { startParts, type WorkstationListener, type WorkstationParts } from './start-workstation.js';

/** A display with a browser on it, its input devices and its screen. */
export class Workstation {
  /** Milliseconds from the start to each step. */
  timings: Readonly<Record<string, number>>;
  #cursor: CursorWatch | undefined;
  #stopping: Promise<void> | undefined;

  private constructor(private readonly parts: WorkstationParts) {
    this.timings = parts.timings;
  }

  /** Starts all parts. After a failure, stops the started parts and rejects. */
  static async start(
    session: HostSession,
    limits: SessionLimits,
    place: HostPlace,
    early: EarlyParts,
    listener: WorkstationListener,
  ): Promise<Workstation> {
    return new Workstation(await startParts({ session, limits, place, early, listener }));
  }

  get devices(): WorkstationParts['devices'] {
    return this.parts.devices;
  }

  /** Browser functions that are available only to extensions. */
  get bridge(): WorkstationParts['bridge'] {
    return this.parts.bridge;
  }

  /** Connection to the browser over the DevTools protocol. */
  get cdp(): WorkstationParts['cdp'] {
    return this.parts.cdp;
  }

  /** File choosers, downloads and drops of pages. */
  get files(): WorkstationParts['files'] {
    return this.parts.files;
  }

  /** The accessibility tree of the active page. */
  get accessibility(): WorkstationParts['accessibility'] {
    return this.parts.accessibility;
  }

  get accessibilityActions(): WorkstationParts['accessibilityActions'] {
    return this.parts.accessibilityActions;
  }

  /** Resolves when the first part ends. */
  get partEnded(): WorkstationParts['partEnded'] {
    return this.parts.partEnded;
  }

  /** Same as {@link partEnded}. When one part ends, the host ends the browser too. */
  get gone(): Promise<unknown> {
    return this.partEnded;
  }

  /** Drops files at a place of the screen. Returns the page at that place. */
  drop(at: { x: number; y: number }, paths: readonly string[]): Promise<CdpSession | undefined> {
    return dropContent(this.devices.pages, at, { items: [], files: [...paths] });
  }

  /**
   * Prints a page as a PDF. For a frame, prints the page around it. Resolves to undefined if the page is
   * gone.
   */
  async print(printing: CdpSession): Promise<{ title: string; parts: AsyncIterable<Buffer> } | undefined> {
    const page = this.devices.pages.pageOf(printing);
    return page && { title: await titleOf(page), parts: printPage(page) };
  }

  /** The source of the display's frames. Each {@link resize} replaces the source. */
  get screen(): FrameSource {
    return this.parts.screen.source;
  }

  /** Opens a camera that takes pictures of the current screen. */
  openCamera(): Promise<ScreenCamera> {
    return ScreenCamera.open(this.parts.display.address, () => this.devices.pages.pixelRatio);
  }

  /** Opens another source of the display's frames. The caller must close the source. */
  openScreen(): Promise<ScreenSource> {
    return ScreenSource.open(this.parts.display.address);
  }

  /**
   * Returns the areas of the screen that show masked fields. `unknown` if a page does not answer. Empty in a
   * session without masks.
   *
   * @param passwords true to include all password fields, also those without a mask
   */
  maskedAreas({ passwords = false } = {}): Promise<Rect[] | 'unknown'> {
    const { focus, devices } = this.parts;
    return focus ? focus.areas((page) => devices.pages.geometry(page), passwords) : Promise.resolve([]);
  }

  /** Names the elements that users click. */
  get clickedElements(): ClickedElements {
    const { focus, devices } = this.parts;
    return new ClickedElements(devices.pages, focus);
  }

  /** True if {@link stop} was called. */
  get stopping(): boolean {
    return this.#stopping !== undefined;
  }

  /**
   * Prepares the workstation for a session: applies the session's screen size, pixel ratio and refresh rate,
   * and opens its start page. The session must have the launch key (see `launch-key.ts`) with which the
   * workstation was started. Rejects if the display cannot have the size.
   */
  async become(session: HostSession): Promise<void> {
    const began = performance.now();
    const { screen: resizable, users, start } = this.parts;
    const { width, height } = pixelsOf(session);
    const refresh = refreshOf(session);
    const now = resizable.source;
    const same =
      now.width === width && now.height === height && users.pages.pixelRatio === session.pixelRatio;
    if (!same || refresh !== resizable.refreshRate) {
      resizable.refreshRate = refresh;
      await resizable.resize(session, users);
    }
    // Does not wait for the page. If the page cannot be loaded, the browser shows an error page.
    void start.become(session).catch(() => undefined);
    this.timings = { ready: Math.round(performance.now() - began) };
  }

  /** Changes the size and the pixel ratio of the screen, see {@link Screen.resize}. */
  resize(shape: ScreenShape): Promise<void> {
    return this.parts.screen.resize(shape, this.parts.users);
  }

  /** Reports that a user has acted on the session. */
  acted(): void {
    this.parts.watches.acted();
  }

  /** Pauses the checks for hanging parts while the parts are frozen, or starts them again. */
  pauseWatches(paused: boolean): void {
    this.parts.watches.pause(paused);
  }

  /** Makes the pages release memory that their scripts no longer use. */
  trimMemory(): Promise<void> {
    return collectGarbage(this.devices.pages.all);
  }

  /** Makes the browser connect to a restarted sound server. */
  reconnectSound(): void {
    if (!this.#stopping) endAudioService(this.parts.browser.pid);
  }

  /** Kills a browser that cannot continue. Then {@link partEnded} resolves. */
  endBrowser(): void {
    if (!this.#stopping) this.parts.browser.kill();
  }

  /** Ends the process of a page, by Chromium's id of the process. Its tab shows an error page. */
  endRenderer(renderer: number): void {
    if (!this.#stopping) endRenderer(this.parts.browser.pid, renderer);
  }

  /** Reports tabs from now on. Returns a function that reports all open tabs again. */
  watchTabs(listener: TabListener): () => void {
    return watchTabs(this.parts.cdp.browser, listener);
  }

  /** Reports the pointer's shape from now on. */
  watchCursor(onChange: (cursor: Cursor) => void): void {
    void CursorWatch.start(this.parts.display.address, onChange)
      .then((watch) => {
        if (this.#stopping) watch.close();
        else this.#cursor = watch;
      })
      // On failure the pointer stays an arrow. Other code notices the end of the display.
      .catch(() => undefined);
  }

  /** Ends all parts. Safe to call twice. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#cursor?.close();
    await this.parts.scope.close();
  }
}
