import type { HostPlace } from '../../host-protocol.js';
import type { ManagedProcess } from '../../platform/child-process.js';
import type { DisplayMode } from './modes.js';
import { ScreenMode } from './screen-mode.js';
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
