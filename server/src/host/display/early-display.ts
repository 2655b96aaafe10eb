import type { HostPlace } from '../../host-protocol.js';
import { modeFor, type DisplayMode } from './modes.js';
import { setScreenMode } from './screen-mode.js';
import { XServer } from './x-server.js';

/** What most sessions ask for, so that their mode is there already. */
const USUAL_MODE = modeFor(1280, 720, 60);

/**
 * The displays of a session, one after the other. The first is started before the session is known, while its host waits:
 * changing a server's mode takes a tenth of the time of starting it.
 */
export class EarlyDisplay {
  #waiting: Promise<XServer> | undefined;

  constructor(private readonly place: HostPlace) {
    this.#waiting = XServer.start(place.directory, place.display, USUAL_MODE);
    // Reported to whoever takes it; nobody may ever.
    this.#waiting.catch(() => undefined);
  }

  /** A display with this mode, the caller's from now on. After the first one, or when that one failed, a fresh one. */
  async take(mode: DisplayMode): Promise<XServer> {
    const waiting = await this.#takeWaiting();
    if (waiting) {
      try {
        if (mode.name !== USUAL_MODE.name) await setScreenMode(waiting.address, mode);
        return waiting;
      } catch {
        await waiting.stop();
      }
    }
    return XServer.start(this.place.directory, this.place.display, mode);
  }

  /** Ends the display that nobody took. */
  async stop(): Promise<void> {
    await (await this.#takeWaiting())?.stop();
  }

  async #takeWaiting(): Promise<XServer | undefined> {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    const server = await waiting?.catch(() => undefined);
    return server?.process.running ? server : undefined;
  }
}
