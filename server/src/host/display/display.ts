import type { HostPlace } from '../../host-protocol.js';
import type { ManagedProcess } from '../../platform/child-process.js';
import { type DisplayMode, modeFor, ScreenMode } from './modes.js';
import { startXServer, type DisplayAddress, type XServer } from './x-server.js';

/** A running display whose mode can be changed. */
export class Display {
  private constructor(
    private readonly server: XServer,
    private readonly mode: ScreenMode,
  ) {}

  /** Starts a display at this mode; on failure nothing stays behind. */
  static async start(place: HostPlace, mode: DisplayMode): Promise<Display> {
    const server = await startXServer(place.directory, place.display, mode);
    try {
      return new Display(server, await ScreenMode.open(server.address));
    } catch (error) {
      await server.process.stop();
      throw error;
    }
  }

  get address(): DisplayAddress {
    return this.server.address;
  }

  get process(): ManagedProcess {
    return this.server.process;
  }

  /** Resolves when the display has the mode; rejects when it cannot have it. A display that is gone never answers. */
  setMode(mode: DisplayMode): Promise<void> {
    return this.mode.set(mode);
  }

  async stop(): Promise<void> {
    this.mode.close();
    await this.server.process.stop();
  }
}

/** The mode of most sessions, which then need no other. */
const USUAL_MODE = modeFor(1280, 720, 60);

/**
 * The displays of a session, one after the other. The first is started before the session is known, while its host waits:
 * changing a server's mode takes a tenth of the time of starting it.
 */
export class EarlyDisplay {
  #waiting: Promise<Display> | undefined;

  constructor(private readonly place: HostPlace) {
    this.#waiting = Display.start(place, USUAL_MODE);
    // `take` starts another display when this one fails.
    this.#waiting.catch(() => undefined);
  }

  /** A display with this mode, the caller's from now on. After the first one, or when that one failed, a fresh one. */
  async take(mode: DisplayMode): Promise<Display> {
    const waiting = await this.#takeWaiting();
    if (waiting) {
      try {
        if (mode.name !== USUAL_MODE.name) await waiting.setMode(mode);
        return waiting;
      } catch {
        await waiting.stop();
      }
    }
    return Display.start(this.place, mode);
  }

  /** Ends the first display if it was never taken. */
  async stop(): Promise<void> {
    await (await this.#takeWaiting())?.stop();
  }

  async #takeWaiting(): Promise<Display | undefined> {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    const display = await waiting?.catch(() => undefined);
    return display?.process.running ? display : undefined;
  }
}
