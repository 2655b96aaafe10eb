import type { Rect } from './rect.js';

/** Where a frame source writes pixels: rows of 4 bytes a pixel (B, G, R, unused). */
export interface PixelTarget {
  data: Buffer;
  /** Bytes from one row to the next; at least four times the width. */
  stride: number;
}

/**
 * Something that shows pictures and tells when they changed. The display is one; a test pattern is another.
 */
export interface FrameSource {
  readonly width: number;
  readonly height: number;
  /** Called when the picture differs from the one last read. At most once until the next `read`. */
  onDamage: (() => void) | undefined;
  /** Copies what changed since the last read into the target, and tells where; undefined when nothing did. */
  read(target: PixelTarget, everything: boolean): Promise<Rect | undefined>;
  close(): void;
}
