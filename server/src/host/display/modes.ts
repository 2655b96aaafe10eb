/** A display timing for Xorg and RandR. The dummy driver uses only the size and the refresh rate. */
export interface DisplayMode {
  name: string;
  width: number;
  height: number;
  /** Hertz. */
  refresh: number;
  /** Kilohertz, chosen so that the refresh rate is exact. */
  dotClock: number;
  hSyncStart: number;
  hSyncEnd: number;
  hTotal: number;
  vSyncStart: number;
  vSyncEnd: number;
  vTotal: number;
}

/**
 * Minimum dot clock, in pixels per second. Below this value, the dummy driver drops a mode and uses its own
 * mode of 2048x1536 (seen with 640x360 at 24 Hz). So {@link modeFor} adds blank lines to small modes.
 */
const MIN_DOT_CLOCK = 12_000_000;

/** Minimum number of blank columns and lines. The sync pulses need them. */
const MIN_BLANK = { columns: 48, lines: 6 };
/**
 * The total columns and the total lines are multiples of these values. The product of both values is 1000,
 * see {@link modeFor}.
 */
const STEP = { columns: 40, lines: 25 };

/**
 * Returns the timing for a size and a refresh rate. The number of pixels with the blank area is a multiple of
 * 1000. So the dot clock, a whole number of kilohertz, gives exactly the requested refresh rate.
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

/** Returns the timing as a `Modeline` of xorg.conf. */
export function modeline(mode: DisplayMode): string {
  const horizontal = `${mode.width} ${mode.hSyncStart} ${mode.hSyncEnd} ${mode.hTotal}`;
  const vertical = `${mode.height} ${mode.vSyncStart} ${mode.vSyncEnd} ${mode.vTotal}`;
  return `Modeline "${mode.name}" ${(mode.dotClock / 1000).toFixed(3)} ${horizontal} ${vertical}`;
}
