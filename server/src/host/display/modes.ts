import type { RandrExtension } from 'x11';
import { connectDisplay, request, type XConnection } from './x-client.js';
import type { DisplayAddress } from './x-server.js';

/** A display timing as Xorg and RandR take it. The dummy driver only cares for the size and the refresh rate. */
export interface DisplayMode {
  name: string;
  width: number;
  height: number;
  /** Hertz. */
  refresh: number;
  /** Kilohertz: chosen so that the refresh rate comes out exact. */
  dotClock: number;
  hSyncStart: number;
  hSyncEnd: number;
  hTotal: number;
  vSyncStart: number;
  vSyncEnd: number;
  vTotal: number;
}

/**
 * Pixels a second below which the dummy driver drops a mode and falls back to one of its own, 2048x1536 (seen with
 * 640x360 at 24 Hz). Small modes get more blank lines instead.
 */
const MIN_DOT_CLOCK = 12_000_000;

/** Blank columns and lines at least: room for the sync pulses. */
const MIN_BLANK = { columns: 48, lines: 6 };
/** Their product is 1000, see {@link modeFor}. */
const STEP = { columns: 40, lines: 25 };

/**
 * The timing for a size and a refresh rate. The total is a multiple of 1000 pixels, so that the dot clock, which is a
 * whole number of kilohertz, gives exactly the wanted refresh rate.
 */
export function modeFor(width: number, height: number, refresh: number): DisplayMode {
  const hTotal = Math.ceil((width + MIN_BLANK.columns) / STEP.columns) * STEP.columns;
  const lines = Math.max(height + MIN_BLANK.lines, MIN_DOT_CLOCK / (hTotal * refresh));
  const vTotal = Math.ceil(lines / STEP.lines) * STEP.lines;
  return {
    name: `${width}x${height}@${refresh}`,
    width,
    height,
    refresh,
    dotClock: (hTotal * vTotal * refresh) / 1000,
    hSyncStart: width + 8,
    hSyncEnd: width + 16,
    hTotal,
    vSyncStart: height + 1,
    vSyncEnd: height + 3,
    vTotal,
  };
}

/** The timing as a `Modeline` of xorg.conf. */
export function modeline(mode: DisplayMode): string {
  const horizontal = `${mode.width} ${mode.hSyncStart} ${mode.hSyncEnd} ${mode.hTotal}`;
  const vertical = `${mode.height} ${mode.vSyncStart} ${mode.vSyncEnd} ${mode.vTotal}`;
  return `Modeline "${mode.name}" ${(mode.dotClock / 1000).toFixed(3)} ${horizontal} ${vertical}`;
}

/** The usual size of a pixel: 96 to an inch. */
const MM_PER_PIXEL = 25.4 / 96;

/** Gives the display another mode while it runs, by RandR. */
export class ScreenMode {
  /** The mode that we made last; the first one is the configuration's. */
  #ours: number | undefined;
  #count = 0;

  private constructor(
    private readonly connection: XConnection,
    private readonly randr: RandrExtension,
    private readonly crtc: number,
    private readonly output: number,
  ) {}

  static async open(address: DisplayAddress): Promise<ScreenMode> {
    const connection = await connectDisplay(address);
    const randr = await request<RandrExtension>((reply) => connection.x.require('randr', reply));
    const { crtcs, outputs } = await request<{ crtcs: number[]; outputs: number[] }>((reply) =>
      randr.GetScreenResourcesCurrent(connection.root, reply),
    );
    // The dummy driver has sixteen of each; the first of them are the ones in use.
    const [crtc = 0] = crtcs;
    const [output = 0] = outputs;
    return new ScreenMode(connection, randr, crtc, output);
  }

  /** Resolves when the display has the mode. Programs see one step, from one size to the other. Rejects when it cannot have it. */
  async set(mode: DisplayMode): Promise<void> {
    const { randr, output } = this;
    const { x, root } = this.connection;
    // No two modes of a display may have the same name, and one may come back to a size.
    const named = { ...randrMode(mode), name: `${mode.name}#${++this.#count}` };
    const id = await request<number>((reply) => randr.CreateMode(root, named, reply));
    randr.AddOutputMode(output, id);
    // A screen's size must be that of what is shown on it: so nothing is shown while it changes.
    x.GrabServer();
    try {
      await this.#show(0);
      const [widthMm, heightMm] = [mode.width, mode.height].map((pixels) =>
        Math.round(pixels * MM_PER_PIXEL),
      );
      randr.SetScreenSize(root, mode.width, mode.height, widthMm ?? 1, heightMm ?? 1);
      await this.#show(id);
    } finally {
      x.UngrabServer();
    }
    if (this.#ours !== undefined) {
      randr.DeleteOutputMode(output, this.#ours);
      randr.DestroyMode(this.#ours);
    }
    this.#ours = id;
    const screen = await request<{ width: number; height: number }>((reply) => x.GetGeometry(root, reply));
    if (screen.width !== mode.width || screen.height !== mode.height)
      throw new Error(`The display does not take the mode ${mode.name}.`);
  }

  close(): void {
    this.connection.close();
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
