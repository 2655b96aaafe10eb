/** A part of a picture: 4 bytes a pixel (B, G, R, unused), row by row without gaps. */
export interface Block extends Rect {
  data: Buffer;
}

/** Takes blocks. A block's data is valid during the call only. */
export type BlockSink = (block: Block) => void;

/** Of the screen's pictures: see {@link Block}. */
export const BYTES_PER_PIXEL = 4;

/** Rows that are handed over at a time: as many as stay in the processor's cache until they are converted. */
export const BAND_ROWS = 64;

/** Something that shows pictures and tells when they changed. The display is one; a test pattern is another. */
export interface FrameSource {
  readonly width: number;
  readonly height: number;
  /** Whether the picture differs from the one last read. */
  readonly damaged: boolean;
  /** Called when {@link damaged} has become true. At most once until the next `read`. */
  onDamage: (() => void) | undefined;
  /**
   * Hands over what changed since the last read, and tells where that is; undefined when nothing did. All blocks are parts
   * of that area, which is on the {@link onGrid grid}.
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

/** The smallest rectangle around both; undefined stands for no area at all. */
export function union(a: Rect | undefined, b: Rect | undefined): Rect | undefined {
  if (!a || !b) return a ?? b;
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  const width = Math.max(a.x + a.width, b.x + b.width) - x;
  const height = Math.max(a.y + a.height, b.y + b.height) - y;
  return { x, y, width, height };
}

/** Areas are read in columns of so many pixels: few widths to convert, and rows that vector instructions can start at. */
export const GRID_COLUMNS = 64;

/** The smallest area around this one that begins and ends on the grid, or at the picture's edge. Rows go in pairs. */
export function onGrid(area: Rect, picture: { width: number; height: number }): Rect {
  const x = area.x - (area.x % GRID_COLUMNS);
  const y = area.y - (area.y % 2);
  const right = Math.ceil((area.x + area.width) / GRID_COLUMNS) * GRID_COLUMNS;
  const bottom = Math.ceil((area.y + area.height) / 2) * 2;
  return { x, y, width: Math.min(right, picture.width) - x, height: Math.min(bottom, picture.height) - y };
}
