import type { Rect } from './rect.js';

/** Some rows of a picture: 4 bytes a pixel (B, G, R, unused), from the left edge to the right one. */
export interface Rows {
  /** The first row; even. */
  y: number;
  /** Even, but for the last row of a picture of odd height. */
  count: number;
  data: Buffer;
}

/** Takes rows; they are only lent, and overwritten afterwards. */
export type RowSink = (rows: Rows) => void;

/** Rows that are handed over at a time: as many as stay in the processor's cache until they are converted. */
export const BAND_ROWS = 64;

/** Something that shows pictures and tells when they changed. The display is one; a test pattern is another. */
export interface FrameSource {
  readonly width: number;
  readonly height: number;
  /** Called when the picture differs from the one last read. At most once until the next `read`. */
  onDamage: (() => void) | undefined;
  /** Hands over what changed since the last read, and tells where that is; undefined when nothing did. */
  read(sink: RowSink, everything: boolean): Promise<Rect | undefined>;
  close(): void;
}
