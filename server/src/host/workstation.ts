import type { Cursor } from 'cloud-browser/protocol';
import type { HostPlace, HostSession, HttpProxy } from '../host-protocol.js';
import { AndroidDisguise } from './browser/android.js';
import { opensLater, startAddress } from './browser/arguments.js';
import { Bridge } from './browser/bridge/bridge.js';
import { Chromium } from './browser/chromium.js';
import { Pages } from './browser/pages.js';
import { ScreenSource } from './capture/screen-source.js';
import { CursorWatch } from './display/cursor-watch.js';
import type { EarlyDisplay } from './display/early-display.js';
import { modeFor } from './display/modes.js';
import { WindowFit } from './display/window-fit.js';
import { WindowManager } from './display/window-manager.js';
import type { XServer } from './display/x-server.js';
import { QUALITIES } from './encode/quality.js';
import { InputDevices } from './input/input-devices.js';
import { proveConfined } from './sandbox/proof.js';

/** Something to undo, last made first. */
type Undo = () => Promise<void> | void;
/** How a thing is ended. */
type Ending<T> = (made: T) => Promise<void> | void;

/** A display with a browser on it, its input devices and its screen: what a person would sit at. */
export class Workstation {
  #cursor: CursorWatch | undefined;
  #stopping: Promise<void> | undefined;

  private constructor(
    private readonly xServer: XServer,
    readonly screen: ScreenSource,
    readonly devices: InputDevices,
    /** What only extensions can do in the browser. */
    readonly bridge: Bridge,
    /** Milliseconds from the start to each step. */
    readonly timings: Record<string, number>,
    private readonly undo: Undo[],
  ) {}

  /**
   * Starts all of it; on failure nothing stays behind.
   *
   * @param onFailure told once when a part ends by itself
   */
  static async start(
    session: HostSession,
    place: HostPlace,
    display: EarlyDisplay,
    onFailure: (what: string) => void,
  ): Promise<Workstation> {
    const undo: Undo[] = [];
    const began = performance.now();
    const timings: Record<string, number> = {};
    const lap = (step: string) => (timings[step] = Math.round(performance.now() - began));
    try {
      const fps = Math.min(session.fps, QUALITIES[session.quality].maxFps);
      const xServer = await display.take(modeFor(session.width, session.height, fps));
      undo.push(() => xServer.stop());
      lap('display');
      const { address } = xServer;
      // All at once: the window manager is there long before the browser opens its window.
      const own = <T>(making: Promise<T>, end: Ending<T>) => ownedBy(undo, making, end);
      const [, windowManager, screen, chromium] = await Promise.all([
        own(WindowFit.start(address, session), (fit) => fit.close()),
        own(WindowManager.start(place.directory, address, session.kiosk), (manager) => manager.stop()),
        own(ScreenSource.open(address, { sharedMemory: true }), (source) => source.close()),
        own(Chromium.start(session, place, address), (browser) => browser.stop()),
      ]);
      lap('browser');
      const disguise =
        session.userAgent === 'chrome_android' ? await AndroidDisguise.create(chromium.cdp) : undefined;
      const pages = await Pages.follow(chromium.cdp, { disguise, pinch: session.touchGestures.pinch });
      const bridge = new Bridge(chromium.cdp);
      await giveCredentials(bridge, session.httpProxy);
      // A page that does not answer is no reason to wait: it says so itself.
      if (opensLater(session)) {
        const opened = session.restoreTabs ? pages.reload() : pages.open(startAddress(session.startUrl));
        void opened.catch(() => undefined);
      }
      const devices = await InputDevices.open(address, chromium.cdp, pages, () => undefined);
      undo.push(() => devices.close());
      await proveConfined(process.getuid?.() ?? -1);
      lap('ready');
      const workstation = new Workstation(xServer, screen, devices, bridge, timings, undo);
      workstation.#watch([xServer.process, windowManager.process, chromium.process], onFailure);
      return workstation;
    } catch (error) {
      for (const step of undo.reverse()) await step();
      throw error;
    }
  }

  /** Reports the pointer's shape from now on. */
  watchCursor(onChange: (cursor: Cursor) => void): void {
    void CursorWatch.start(this.xServer.address, onChange)
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

  #watch(processes: { name: string; exited: Promise<unknown> }[], onFailure: (what: string) => void): void {
    const first = Promise.race(processes.map(({ name, exited }) => exited.then(() => name)));
    void first.then((name) => {
      if (!this.#stopping) onFailure(name);
    });
  }
}

/** Before the first page is opened, so that nobody is ever asked. */
async function giveCredentials(bridge: Bridge, proxy: HttpProxy | null): Promise<void> {
  if (proxy?.username === undefined) return;
  await bridge.call('setProxyCredentials', { username: proxy.username, password: proxy.password ?? '' });
}

/** What is being made ends in its turn, also when something else fails before it is there. */
function ownedBy<T>(undo: Undo[], making: Promise<T>, end: Ending<T>): Promise<T> {
  undo.push(() => making.then(end, () => undefined));
  return making;
}
