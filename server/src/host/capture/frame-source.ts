/** A part of a picture: 4 bytes per pixel (B, G, R, unused), row by row without gaps. */
export interface Block extends Rect {
  data: Buffer;
}

/** Receives blocks. A block's data is valid only during the call. */
export type BlockSink = (block: Block) => void;

/** Bytes per pixel of the screen's pictures: see {@link Block}. */
export const BYTES_PER_PIXEL = 4;

/** Number of rows in a block. A block of this height stays in the processor's cache until it is converted. */
export const BAND_ROWS = 64;

/** A source of pictures that reports changes, for example the display or a test pattern. */
export interface FrameSource {
  readonly width: number;
  readonly height: number;
  /** True if the picture has changed since the last `read`. */
  readonly damaged: boolean;
  /** Called when {@link damaged} becomes true, at most once until the next `read`. */
  onDamage: (() => void) | undefined;
  /**
   * Passes the changes since the last read to `sink`, or the whole picture if `everything` is true. Returns
   * the area that was passed on; undefined if nothing changed. The area is aligned to the grid (see `onGrid`)
   * and contains all blocks.
   */
  read(sink: BlockSink, everything: boolean): Promise<Rect | undefined>;
}

/** A rectangle of the screen, in pixels. */
export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Returns the number of pixels of a rectangle. */
export function pixelsOf({ width, height }: Rect): number {
  return width * height;
}

/** Returns the smallest rectangle around two areas; undefined means an empty area. */
export function union(a: Rect | undefined, b: Rect | undefined): Rect | undefined {
  if (!a || !b) return a ?? b;
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  const width = Math.max(a.x + a.width, b.x + b.width) - x;
  const height = Math.max(a.y + a.height, b.y + b.height) - y;
  return { x, y, width, height };
}

/**
 * Distance in pixels between the vertical lines of the grid to which areas are aligned. With the grid, areas
 * have only few different widths, and their rows are aligned for vector instructions.
 */
export const GRID_COLUMNS = 64;

/**
 * Returns the smallest area that contains `area` and whose left and right edges are on the grid or at the
 * picture's edge. The first row is even. The number of rows is odd only if the area ends at the lower edge of
 * a picture with an odd height.
 */
export function onGrid(area: Rect, picture: { width: number; height: number }): Rect {
  const x = area.x - (area.x % GRID_COLUMNS);
  const y = area.y - (area.y % 2);
  const right = Math.ceil((area.x + area.width) / GRID_COLUMNS) * GRID_COLUMNS;
  const bottom = Math.ceil((area.y + area.height) / 2) * 2;
  return { x, y, width: Math.min(right, picture.width) - x, height: Math.min(bottom, picture.height) - y };
}
