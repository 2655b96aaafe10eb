import type { Cursor } from 'cloud-browser/protocol';
import type { HostPlace, HostSession } from '../../host-protocol.js';
import type { ManagedProcess } from '../../platform/process/child-process.js';
import { pixelsOf, type ScreenShape } from '../../platform/screen-size.js';
import type { SessionLimits } from '../../platform/session-limits.js';
import { AccessibilityActions } from '../features/accessibility/accessibility-actions.js';
import type { AccessibilityWatch } from '../browser/accessibility/accessibility-watch.js';
import { endAudioService, endRenderer } from '../browser/launch/browser-processes.js';
import type { Bridge } from '../browser/bridge/bridge.js';
import { DropCounter, type Drop } from '../browser/cdp/drop-counter.js';
import { restoresAtStart } from '../browser/launch/arguments.js';
import { Chromium, prepareFiles } from '../browser/launch/chromium.js';
import type { BrowserFiles } from '../browser/files/browser-files.js';
import { dropFiles } from '../browser/files/drop-files.js';
import { printPage, titleOf } from '../browser/files/print-page.js';
import type { CdpSession } from '../browser/cdp/cdp-session.js';
import { CursorWatch } from '../display/cursor-watch.js';
import type { FrameSource } from '../capture/frame-source.js';
import type { Display } from '../display/display.js';
import { DisplayScale } from '../display/display-scale.js';
import { PopupTrim } from '../display/popup-trim.js';
import type { EarlyParts } from './early-parts.js';
import { WindowManagerPing } from '../display/window-manager-ping.js';
import { WindowFit } from '../display/window-fit.js';
import { scaleWindowManager, startWindowManager } from '../display/window-manager.js';
import { openPages } from './open-pages.js';
import type { StartWindow } from '../browser/pages/start-window.js';
import { firstEnd, type PartEnd } from './part-end.js';
import { InputDevices } from '../input/input-devices.js';
import { proveConfined } from '../sandbox/proof.js';
import { Screen, type ScreenUsers } from './screen.js';
import { displayModeOf, refreshOf } from './screen-mode.js';
import { warmUpEncoder } from '../stream/encoder-warm-up.js';
import { streamParts } from '../stream/stream-parts.js';
import { WorkWatches, type HangListener } from './work-watches.js';

/** A cleanup step. The last one that was added runs first. */
type Undo = () => Promise<void> | void;
/** Receives the reports of a workstation. */
export interface WorkstationListener extends HangListener {
  /** Called when the browser or a page did not answer in time; see {@link DropCounter}. */
  onDropped(drop: Drop): void;
  /** Called when a page was closed because the maximal number of pages is open. */
  onTabRefused(): void;
  /** Called when the process of a page has ended. */
  onPageCrashed(): void;
  /**
   * Called when a selector of `field_masking` is invalid. All fields of the browser's pages are then masked.
   */
  onInvalidSelector(selector: string): void;
}

type Ending<T> = (made: T) => Promise<void> | void;

/** A display with a browser on it, its input devices and its screen. */
export class Workstation {
  #cursor: CursorWatch | undefined;
  #stopping: Promise<void> | undefined;

  private constructor(
    private readonly display: Display,
    private readonly resizable: Screen,
    private readonly users: ScreenUsers,
    readonly devices: InputDevices,
    /** Functions that only extensions have in the browser. */
    readonly bridge: Bridge,
    /** File choosers, downloads and drops of pages. */
    readonly files: BrowserFiles,
    /** The accessibility tree of the active page, and actions on it. */
    readonly accessibility: AccessibilityWatch,
    readonly accessibilityActions: AccessibilityActions,
    /** Milliseconds from the start to each step. */
    public timings: Readonly<Record<string, number>>,
    private readonly watches: WorkWatches,
    private readonly startWindow: StartWindow,
    private readonly browser: Pick<ManagedProcess, 'pid' | 'kill'>,
    /** Resolves when the first part ends. */
    readonly partEnded: Promise<PartEnd>,
    private readonly undo: Undo[],
  ) {}

  /** Resolves when the browser has ended. */
  get gone(): Promise<unknown> {
    return this.partEnded;
  }

  /** Drops files at a place of the screen. Returns the page at that place. */
  drop(at: { x: number; y: number }, paths: readonly string[]): Promise<CdpSession | undefined> {
    return dropFiles(this.devices.pages, at, paths);
  }

  /** Prints the active page as a PDF. Undefined if there is no page. */
  async print(): Promise<{ title: string; parts: AsyncIterable<Buffer> } | undefined> {
    const page = await this.devices.pages.front();
    return page && { title: await titleOf(page), parts: printPage(page) };
  }

  /** The contents of the display. Each {@link resize} replaces it. */
  get screen(): FrameSource {
    return this.resizable.source;
  }

  /** True if it is being stopped, or has been. */
  get stopping(): boolean {
    return this.#stopping !== undefined;
  }

  /** Starts all parts. On failure it stops the parts that were started. */
  static async start(
    session: HostSession,
    limits: SessionLimits,
    place: HostPlace,
    { displays, sound, network }: EarlyParts,
    listener: WorkstationListener,
  ): Promise<Workstation> {
    const drops = new DropCounter((drop) => listener.onDropped(drop));
    const undo: Undo[] = [];
    const began = performance.now();
    const timings: Record<string, number> = {};
    const lap = (step: string) => (timings[step] = Math.round(performance.now() - began));
    try {
      const refresh = refreshOf(session);
      const size = pixelsOf(session);
      const preparing = prepareFiles(session, place);
      // The code that starts the browser handles the failure.
      preparing.catch(() => undefined);
      undo.push(() => preparing.then(() => undefined).catch(() => undefined));
      const display = await displays.take(displayModeOf(session));
      undo.push(() => display.stop());
      lap('display');
      const { address } = display;
      // All parts start at the same time. The window manager is ready long before the browser opens its
      // window.
      const own = <T>(making: Promise<T>, end: Ending<T>) => ownedBy(undo, making, end);
      // The browser reads it at its start.
      const scaled = session.followsRatio
        ? own(DisplayScale.open(address, session.pixelRatio), (scale) => scale.close())
        : undefined;
      // Parts that only pages need, and not the browser itself: an endpoint for the network, and a sound
      // card.
      const surroundings = Promise.all([network.then(({ listener }) => listener), sound.ready]);
      surroundings.catch(() => undefined);
      const opensPages = restoresAtStart(session) ? surroundings : undefined;
      const starting = Promise.all([network, preparing, scaled, opensPages]).then(([made, files]) =>
        Chromium.start(session, limits, place, address, made, files, drops),
      );
      const browsing = Promise.all([starting, surroundings]).then(([browser]) => {
        lap('browser');
        return openPages(session, place.extensions, limits.tabs, browser);
      });
      const [
        windowFit,
        windowManager,
        screen,
        chromium,
        { bridge, pages, emulation, focus, files, start, accessibility },
        devices,
        ping,
      ] = await Promise.all([
        own(WindowFit.start(address, size, session.kiosk), (fit) => fit.close()),
        own(startWindowManager(place.directory, address, session.kiosk, session.pixelRatio), (manager) =>
          manager.stop(),
        ),
        own(rehearsed(Screen.open(display, refresh), session), (opened) => opened.close()),
        own(starting, (browser) => browser.stop()),
        browsing,
        own(InputDevices.open(address, browsing, drops, session.kiosk), (opened) => opened.close()),
        own(WindowManagerPing.open(address), (opened) => opened.close()),
        browsing.then(() => proveConfined(process.getuid?.() ?? -1)),
        own(PopupTrim.start(address), (trim) => trim.close()),
      ]);
      undo.push(() => accessibility.close());
      const accessibilityActions = new AccessibilityActions(accessibility, pages, focus);
      if (focus) {
        undo.push(() => focus.close());
        focus.onInvalid = (selector) => listener.onInvalidSelector(selector);
      }
      // Does not wait. If a page does not answer, the browser shows this.
      void start.load().catch(() => undefined);
      pages.onRefused = () => listener.onTabRefused();
      pages.onCrashed = () => {
        drops.add('page', 'its process has ended');
        listener.onPageCrashed();
      };
      // In a kiosk, users have no other way back to the covered page. The window may have been closed
      // meanwhile.
      if (session.kiosk)
        pages.onOpened = (target) => void bridge.call('popOut', target).catch(() => undefined);
      windowFit.onSecondWindow = () =>
        void bridge.call('keepOneWindow', session.kiosk ? 'popups' : 'tabs').catch(() => undefined);
      const watches = new WorkWatches({ display, windowManager, ping, chromium, pages }, listener);
      undo.push(() => watches.close());
      lap('ready');
      pages.pixelRatio = session.pixelRatio;
      if (focus) focus.pixelRatio = session.pixelRatio;
      const scale = await scaled;
      if (scale)
        scale.onChange = (connection, ratio) =>
          scaleWindowManager(place.directory, connection, session.kiosk, ratio);
      const users = {
        windowFit,
        pages,
        focus,
        devices,
        scale,
        emulated: emulation !== undefined,
      };
      return new Workstation(
        display,
        screen,
        users,
        devices,
        bridge,
        files,
        accessibility,
        accessibilityActions,
        timings,
        watches,
        start,
        chromium.process,
        firstEnd(display.process, windowManager, chromium.process),
        undo,
      );
    } catch (error) {
      for (const step of undo.reverse()) await step();
      throw error;
    }
  }

  /**
   * Prepares the workstation for a session: applies its screen and opens its start page. The workstation was
   * started with the settings of the same launch key. Rejects if the display cannot have the size.
   */
  async become(session: HostSession): Promise<void> {
    const began = performance.now();
    const { resizable, users } = this;
    const { width, height } = pixelsOf(session);
    const refresh = refreshOf(session);
    const now = resizable.source;
    const same =
      now.width === width && now.height === height && users.pages.pixelRatio === session.pixelRatio;
    if (!same || refresh !== resizable.refreshRate) {
      resizable.refreshRate = refresh;
      await resizable.resize(session, users);
    }
    // Does not wait. If a page does not answer, the browser shows this.
    void this.startWindow.become(session).catch(() => undefined);
    this.timings = { ready: Math.round(performance.now() - began) };
  }

  /** Gives the display another shape, see {@link Screen.resize}. */
  resize(shape: ScreenShape): Promise<void> {
    return this.resizable.resize(shape, this.users);
  }

  /** Reports that a user has acted on the session. */
  acted(): void {
    this.watches.acted();
  }

  /** Makes the browser connect to a restarted sound server. */
  reconnectSound(): void {
    if (!this.#stopping) endAudioService(this.browser.pid);
  }

  /** Kills a browser that cannot continue. Then {@link partEnded} resolves. */
  endBrowser(): void {
    if (!this.#stopping) this.browser.kill();
  }

  /** Ends the process of a page, by Chromium's id of the process. Its tab shows an error page. */
  endRenderer(renderer: number): void {
    if (!this.#stopping) endRenderer(this.browser.pid, renderer);
  }

  /** Reports the pointer's shape from now on. */
  watchCursor(onChange: (cursor: Cursor) => void): void {
    void CursorWatch.start(this.display.address, onChange)
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
    for (const step of this.undo.reverse()) await step();
  }
}

/**
 * Opens a screen and encodes a first picture, so that the first picture for a viewer is not slowed down by
 * the setup work of the encoder.
 */
async function rehearsed(opening: Promise<Screen>, session: HostSession): Promise<Screen> {
  const screen = await opening;
  await warmUpEncoder(screen.source, (media, size) => streamParts(session, media, size), session);
  return screen;
}

/**
 * Registers the cleanup of a part that is being started. So the part is ended even if another part fails
 * first.
 */
function ownedBy<T>(undo: Undo[], making: Promise<T>, end: Ending<T>): Promise<T> {
  undo.push(() => making.then(end, () => undefined));
  return making;
}
