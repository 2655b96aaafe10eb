import type { Cursor } from 'cloud-browser/protocol';
import type { HostPlace, HostSession } from '../host-protocol.js';
import { pixelsOf, type ScreenShape } from '../platform/screen-size.js';
import type { SessionLimits } from '../platform/session-limits.js';
import { AccessibleHands } from './accessibility/accessible-hands.js';
import type { AccessibilityWatch } from './browser/accessibility/accessibility-watch.js';
import { endAudioService, endNetworkService, endRenderer } from './browser/launch/browser-processes.js';
import type { Bridge } from './browser/bridge/bridge.js';
import { DropCounter, type Drop } from './browser/cdp/drop-counter.js';
import { restoresAtStart } from './browser/launch/arguments.js';
import { Chromium, prepareFiles } from './browser/launch/chromium.js';
import type { BrowserFiles } from './browser/files/browser-files.js';
import { dropFiles } from './browser/files/drop-files.js';
import { printPage, titleOf } from './browser/files/print-page.js';
import type { CdpSession } from './browser/cdp/cdp-session.js';
import { PageWatch } from './browser/pages/page-watch.js';
import { CursorWatch } from './display/cursor-watch.js';
import type { FrameSource } from './capture/frame-source.js';
import type { Display } from './display/display.js';
import { DisplayScale } from './display/display-scale.js';
import { PopupTrim } from './display/popup-trim.js';
import type { EarlyParts } from './early-parts.js';
import { WindowManagerPing } from './display/window-manager-ping.js';
import { WindowFit } from './display/window-fit.js';
import { scaleWindowManager, startWindowManager } from './display/window-manager.js';
import { systemClock } from '../platform/clock.js';
import { openPages } from './open-pages.js';
import type { StartWindow } from './browser/pages/start-window.js';
import { firstEnd, type PartEnd } from './part-end.js';
import { watchParts, type PartHang } from './part-watch.js';
import { InputDevices } from './input/input-devices.js';
import { proveConfined } from './sandbox/proof.js';
import { Screen, type ScreenUsers } from './screen.js';
import { displayModeOf, refreshOf } from './screen-mode.js';
import { rehearse } from './stream/rehearsal.js';
import { streamParts } from './stream/stream-parts.js';

/** Something to undo, last made first. */
type Undo = () => Promise<void> | void;
/** What the rest of the host wants to know of a workstation. */
export interface WorkstationListener {
  /** The browser or a page was not waited for any longer, see {@link DropCounter}. */
  onDropped(drop: Drop): void;
  /** A page was closed, since as many as may be are open. */
  onTabRefused(): void;
  /** The process of a page has ended. */
  onPageCrashed(): void;
  /** The page in front has not answered for so many milliseconds, although somebody acts on it. */
  onPageHung(milliseconds: number): void;
  /** A text of `field_masking` is no selector to the browser: everything is masked on its pages. */
  onInvalidSelector(selector: string): void;
  /** The browser, a part of it or its display does not answer, and is ended for it. */
  onHang(hang: PartHang): void;
}

/** How a thing is ended. */
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
    /** What only extensions can do in the browser. */
    readonly bridge: Bridge,
    /** What pages want with files. */
    readonly files: BrowserFiles,
    /** What assistive technology is told of the page in front, and what acts on it. */
    readonly accessibility: AccessibilityWatch,
    readonly hands: AccessibleHands,
    /** Milliseconds from the start to each step. */
    public timings: Readonly<Record<string, number>>,
    private readonly pageWatch: PageWatch,
    private readonly startWindow: StartWindow,
    /** The process of the browser. */
    private readonly browser: number,
    /** Resolves when the first part ends. */
    readonly partEnded: Promise<PartEnd>,
    private readonly undo: Undo[],
  ) {}

  /** Resolves when the browser is gone. */
  get gone(): Promise<unknown> {
    return this.partEnded;
  }

  /** Drops files at a place of the screen; the page that was there. */
  drop(at: { x: number; y: number }, paths: readonly string[]): Promise<CdpSession | undefined> {
    return dropFiles(this.devices.pages, at, paths);
  }

  /** The page in front as a PDF. Undefined without one. */
  async print(): Promise<{ title: string; parts: AsyncIterable<Buffer> } | undefined> {
    const page = await this.devices.pages.front();
    return page && { title: await titleOf(page), parts: printPage(page) };
  }

  /** What is on the display. Another one after every {@link resize}. */
  get screen(): FrameSource {
    return this.resizable.source;
  }

  /** It is being stopped, or is. */
  get stopping(): boolean {
    return this.#stopping !== undefined;
  }

  /** Starts all of it; on failure nothing stays behind. */
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
      // Whoever starts the browser is told.
      preparing.catch(() => undefined);
      undo.push(() => preparing.then(() => undefined).catch(() => undefined));
      const display = await displays.take(displayModeOf(session));
      undo.push(() => display.stop());
      lap('display');
      const { address } = display;
      // All at once: the window manager is there long before the browser opens its window.
      const own = <T>(making: Promise<T>, end: Ending<T>) => ownedBy(undo, making, end);
      // The browser asks for it when it starts.
      const scaled = session.followsRatio
        ? own(DisplayScale.open(address, session.pixelRatio), (scale) => scale.close())
        : undefined;
      // What pages need and the browser itself does not: somebody who answers in its network, and a card to play to.
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
      const hands = new AccessibleHands(accessibility, pages, focus);
      if (focus) {
        undo.push(() => focus.close());
        focus.onInvalid = (selector) => listener.onInvalidSelector(selector);
      }
      // Not awaited: the browser itself shows when a page does not answer.
      void start.load().catch(() => undefined);
      pages.onRefused = () => listener.onTabRefused();
      pages.onCrashed = () => {
        drops.add('page', 'its process has ended');
        listener.onPageCrashed();
      };
      // In a kiosk nothing else would lead back to the page that is covered. What has closed meanwhile covers nothing.
      if (session.kiosk)
        pages.onOpened = (target) => void bridge.call('popOut', target).catch(() => undefined);
      windowFit.onSecondWindow = () =>
        void bridge.call('keepOneWindow', session.kiosk ? 'popups' : 'tabs').catch(() => undefined);
      const browserPid = chromium.process.pid;
      const networkService = { name: 'The network service', kill: () => endNetworkService(browserPid) };
      undo.push(
        watchParts(
          [
            { process: display.process, answers: () => display.answers() },
            { process: windowManager, answers: () => ping.answers() },
            { process: chromium.process, answers: () => chromium.answers() },
            { process: networkService, answers: () => pages.networkAnswers(), alone: true },
          ],
          (hang) => listener.onHang(hang),
        ),
      );
      const pageWatch = new PageWatch(pages, chromium.cdp.browser, systemClock, (time) =>
        listener.onPageHung(time),
      );
      undo.push(() => pageWatch.close());
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
        hands,
        timings,
        pageWatch,
        start,
        browserPid,
        firstEnd(display.process, windowManager, chromium.process),
        undo,
      );
    } catch (error) {
      for (const step of undo.reverse()) await step();
      throw error;
    }
  }

  /**
   * Serves a session from now on: has the screen that it asks for and goes to its start page. It was started with the settings of the
   * same launch key. Rejects when the display cannot have the size.
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
    // Not awaited: the browser itself shows when a page does not answer.
    void this.startWindow.become(session).catch(() => undefined);
    this.timings = { ready: Math.round(performance.now() - began) };
  }

  /** Gives the display another shape, see {@link Screen.resize}. */
  resize(shape: ScreenShape): Promise<void> {
    return this.resizable.resize(shape, this.users);
  }

  /** Somebody has acted on the session. */
  acted(): void {
    this.pageWatch.acted();
  }

  /** Has the browser connect to a sound server that was started again. */
  reconnectSound(): void {
    if (!this.#stopping) endAudioService(this.browser);
  }

  /** Ends the process of a page, by Chromium's number of it; its tab shows the crash. */
  endRenderer(renderer: number): void {
    if (!this.#stopping) endRenderer(this.browser, renderer);
  }

  /** Reports the pointer's shape from now on. */
  watchCursor(onChange: (cursor: Cursor) => void): void {
    void CursorWatch.start(this.display.address, onChange)
      .then((watch) => {
        if (this.#stopping) watch.close();
        else this.#cursor = watch;
      })
      // Without its shape the pointer is an arrow; a display that is gone is noticed elsewhere.
      .catch(() => undefined);
  }

  /** Ends all of it. Safe to call twice. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#cursor?.close();
    for (const step of this.undo.reverse()) await step();
  }
}

/** A screen whose first picture for a viewer will not be the first that this process makes. */
async function rehearsed(opening: Promise<Screen>, session: HostSession): Promise<Screen> {
  const screen = await opening;
  await rehearse(screen.source, (media, size) => streamParts(session, media, size), session);
  return screen;
}

/** Has what is being made ended in its turn, also when something else fails before it is there. */
function ownedBy<T>(undo: Undo[], making: Promise<T>, end: Ending<T>): Promise<T> {
  undo.push(() => making.then(end, () => undefined));
  return making;
}
