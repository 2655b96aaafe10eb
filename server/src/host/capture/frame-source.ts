import type { Rect } from './rect.js';

/** A part of a picture: 4 bytes a pixel (B, G, R, unused), row by row without gaps. */
export interface Block extends Rect {
  data: Buffer;
}

/** Takes blocks. A block's data is valid during the call only. */
export type BlockSink = (block: Block) => void;

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
