import type { RandrExtension } from 'x11';
import type { HostPlace } from '../../host-protocol.js';
import type { ManagedProcess } from '../../platform/process/child-process.js';
import { modeFor, type DisplayMode } from './modes.js';
import { openOn, request, roundTrip, type XConnection } from './x-client.js';
import { startXServer, type DisplayAddress, type XServer } from './x-server.js';

/** A running X display. Its mode, which is the size and the refresh rate, can be changed. */
export class Display {
  private constructor(
    private readonly server: XServer,
    private mode: ScreenMode,
  ) {}

  /** Starts a display in this mode. If the start fails, no process keeps running. */
  static async start(place: HostPlace, mode: DisplayMode): Promise<Display> {
    const server = await startXServer(place.directory, mode, place.uid !== undefined);
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

  /**
   * Resolves when the display has the mode. Rejects if the display does not support the mode. Stays pending
   * if the display is gone.
   */
  setMode(mode: DisplayMode): Promise<void> {
    return this.mode.set(mode);
  }

  /**
   * Aborts a change of the mode that the display has not confirmed, because such a change blocks all other X
   * clients. Closes the connection and opens another one. {@link answers} does not resolve until the new
   * connection is ready.
   */
  renew(): void {
    const old = this.mode;
    old.close();
    ScreenMode.open(this.address).then(
      (mode) => {
        // Another call of this method may have replaced the connection meanwhile.
        if (this.mode !== old || !this.process.running) mode.close();
        else this.mode = mode;
      },
      // The watchdog notices a display that accepts no connection.
      () => undefined,
    );
  }

  /** Resolves when the server has answered. Stays pending if the server hangs. */
  answers(): Promise<void> {
    return this.mode.answers();
  }

  async stop(): Promise<void> {
    this.mode.close();
    await this.server.process.stop();
  }
}

/** Mode that most sessions use, so that most displays need no change. */
const USUAL_MODE = modeFor(1280, 720, 60);

/**
 * The displays of a session, one after the other. The first is started before the session exists, while the
 * host process waits for a session. Changing the mode of a running display takes only a tenth of the time of
 * a start.
 */
export class EarlyDisplay {
  #waiting: Promise<Display> | undefined;

  constructor(
    private readonly place: HostPlace,
    private readonly first: DisplayMode = USUAL_MODE,
  ) {
    this.#waiting = Display.start(place, first);
    // `take` starts another display if this one fails.
    this.#waiting.catch(() => undefined);
  }

  /**
   * Returns a display with this mode, which the caller owns from now on. Starts a new display if the first
   * one was already taken or has failed.
   */
  async take(mode: DisplayMode): Promise<Display> {
    const waiting = await this.#takeWaiting();
    if (waiting) {
      try {
        if (mode.name !== this.first.name)
          await Promise.race([waiting.setMode(mode), waiting.process.endsEarly()]);
        return waiting;
      } catch {
        await waiting.stop();
      }
    }
    return Display.start(this.place, mode);
  }

  /** Stops the first display if it was never taken. */
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

/** Mode of a controller, and the size of this mode. Mode 0 means that the controller is off. */
interface Controller {
  mode: number;
  width: number;
  height: number;
}

/** Size of a pixel in millimetres, at 96 pixels per inch. */
const MM_PER_PIXEL = 25.4 / 96;

/** Changes the mode of a running display through RandR. */
export class ScreenMode {
  /** The last mode that this object created. Undefined if this object has not changed the mode yet. */
  #ours: number | undefined;
  /**
   * Counts the modes that all connections have created, to give each mode a unique name. The modes of a
   * replaced connection stay in the display.
   */
  static #count = 0;

  private constructor(
    private readonly connection: XConnection,
    private readonly randr: RandrExtension,
    private readonly crtc: number,
    private readonly output: number,
  ) {}

  static open(address: DisplayAddress): Promise<ScreenMode> {
    return openOn(address, (connection) => ScreenMode.#openOn(connection));
  }

  static async #openOn(connection: XConnection): Promise<ScreenMode> {
    const randr = await request<RandrExtension>((reply) => connection.x.require('randr', reply));
    const { crtcs, outputs } = await request<{ crtcs: number[]; outputs: number[] }>((reply) =>
      randr.GetScreenResourcesCurrent(connection.root, reply),
    );
    // The dummy driver has sixteen controllers and sixteen outputs. It uses the first of each.
    const [crtc = 0] = crtcs;
    const [output = 0] = outputs;
    return new ScreenMode(connection, randr, crtc, output);
  }

  /**
   * Resolves when the display has the mode. Programs see only one change of the size. Rejects if the display
   * refuses the mode. The display then gets its earlier mode back. If the connection is closed before the
   * answer, the display may have either mode.
   */
  async set(mode: DisplayMode): Promise<void> {
    const { randr, output } = this;
    const { x, root } = this.connection;
    // Makes the name unique. Two modes of a display cannot have the same name, and a size may be used again
    // later.
    const named = { ...randrMode(mode), name: `${mode.name}#${++ScreenMode.#count}` };
    const id = await request<number>((reply) => randr.CreateMode(root, named, reply));
    randr.AddOutputMode(output, id);
    const before = await request<Controller>((reply) => randr.GetCrtcInfo(this.crtc, 0, reply));
    // A screen must have the size of its current mode. So this method removes the mode before it changes the
    // size.
    x.GrabServer();
    try {
      // Sends both requests at once. If the connection is closed before the answers, the server still carries
      // out both, so the controller does not stay off.
      const off = this.#show(0);
      this.#setSize(mode);
      await Promise.all([off, this.#show(id)]);
      const screen = await request<{ width: number; height: number }>((reply) => x.GetGeometry(root, reply));
      if (screen.width !== mode.width || screen.height !== mode.height)
        throw new Error(`The display does not accept the mode ${mode.name}.`);
    } catch (error) {
      await this.#restore(before);
      randr.DeleteOutputMode(output, id);
      randr.DestroyMode(id);
      throw error;
    } finally {
      x.UngrabServer();
    }
    if (this.#ours !== undefined) {
      randr.DeleteOutputMode(output, this.#ours);
      randr.DestroyMode(this.#ours);
    }
    this.#ours = id;
  }

  /** Resolves when the display has answered. */
  answers(): Promise<void> {
    return roundTrip(this.connection);
  }

  close(): void {
    this.connection.close();
  }

  #setSize({ width, height }: { width: number; height: number }): void {
    const [widthMm, heightMm] = [width, height].map((pixels) => Math.round(pixels * MM_PER_PIXEL));
    this.randr.SetScreenSize(this.connection.root, width, height, widthMm ?? 1, heightMm ?? 1);
  }

  /** Restores the mode that the controller had before a failed change. */
  async #restore(before: Controller): Promise<void> {
    if (before.mode === 0) return;
    const off = this.#show(0);
    this.#setSize(before);
    await Promise.allSettled([off, this.#show(before.mode)]);
  }

  async #show(mode: number): Promise<void> {
    const { randr, crtc, output } = this;
    const { status } = await request<{ status: number }>((reply) =>
      randr.SetCrtcConfig(
        ...([crtc, 0, 0, 0, 0, mode] as const),
        ...([randr.Rotation.Rotate_0, mode === 0 ? [] : [output], reply] as const),
      ),
    );
    if (status !== randr.ConfigStatus.Success) throw new Error(`The display refuses a mode (${status}).`);
  }
}

function randrMode(mode: DisplayMode) {
  return {
    ...{ width: mode.width, height: mode.height, dot_clock: mode.dotClock * 1000 },
    ...{ h_sync_start: mode.hSyncStart, h_sync_end: mode.hSyncEnd, h_total: mode.hTotal },
    ...{ v_sync_start: mode.vSyncStart, v_sync_end: mode.vSyncEnd, v_total: mode.vTotal },
  };
}
