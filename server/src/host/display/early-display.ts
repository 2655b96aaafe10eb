import type { HostPlace } from '../../host-protocol.js';
import { Display } from './display.js';
import { modeFor, type DisplayMode } from './modes.js';

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
    // Its failure is reported to whoever takes it, if anybody does.
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

  /** Ends the display that nobody took. */
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
