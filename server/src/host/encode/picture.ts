import { AV_PIX_FMT_BGR0, AV_PIX_FMT_YUVJ420P, SWS_AREA } from 'node-av/constants';
import { Frame, SoftwareScaleContext } from 'node-av/lib';
import { BAND_ROWS, type FrameSource, type Rows } from '../capture/frame-source.js';
import type { Rect } from '../capture/rect.js';

const BYTES_PER_PIXEL = 4;

/**
 * The screen as it was last read, as encoders take it: full-range 4:2:0 with BT.601 coefficients, swscale's default. 4:2:0
 * needs even sizes, so the picture may be one column and one row larger than the screen; those repeat their neighbours.
 *
 * Rows are converted as they are read, while they are in the cache. The area filter looks at no row beyond a pair, so
 * a band comes out exactly as it does within the whole picture.
 */
export class Picture {
  readonly codedWidth: number;
  readonly codedHeight: number;
  readonly frame = new Frame();
  readonly #scaler = new SoftwareScaleContext();
  /** Rows with their padding, where the screen's size is odd. */
  readonly #padded: Buffer | undefined;
  readonly #take = (rows: Rows) => this.#convert(this.#padded ? this.#pad(rows, this.#padded) : rows);

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.codedWidth = width + (width % 2);
    this.codedHeight = height + (height % 2);
    const { codedWidth, codedHeight } = this;
    this.frame.alloc();
    this.frame.format = AV_PIX_FMT_YUVJ420P;
    this.frame.width = codedWidth;
    this.frame.height = codedHeight;
    this.frame.getBuffer();
    this.#scaler.getContext(
      ...([codedWidth, codedHeight, AV_PIX_FMT_BGR0] as const),
      ...([codedWidth, codedHeight, AV_PIX_FMT_YUVJ420P, SWS_AREA] as const),
    );
    const isOdd = codedWidth !== width || codedHeight !== height;
    if (isOdd) this.#padded = Buffer.alloc(codedWidth * Math.max(BAND_ROWS, codedHeight) * BYTES_PER_PIXEL);
  }

  /** Brings the picture up to date; tells what changed. */
  read(source: FrameSource, everything: boolean): Promise<Rect | undefined> {
    return source.read(this.#take, everything);
  }

  close(): void {
    this.#scaler.freeContext();
    this.frame.free();
  }

  #pad({ y, count, data }: Rows, padded: Buffer): Rows {
    const from = this.width * BYTES_PER_PIXEL;
    const to = this.codedWidth * BYTES_PER_PIXEL;
    for (let row = 0; row < count; row++) {
      data.copy(padded, row * to, row * from, (row + 1) * from);
      if (to > from) padded.copy(padded, row * to + from, row * to + from - BYTES_PER_PIXEL, row * to + from);
    }
    if (count % 2 === 0) return { y, count, data: padded };
    padded.copy(padded, count * to, (count - 1) * to, count * to);
    return { y, count: count + 1, data: padded };
  }

  #convert({ y, count, data }: Rows): void {
    const [luma, blue, red] = this.frame.data ?? [];
    const [lumaStride = 0, blueStride = 0, redStride = 0] = this.frame.linesize;
    if (!luma || !blue || !red) return;
    this.#scaler.scaleSync(
      [data],
      [this.codedWidth * BYTES_PER_PIXEL],
      0,
      count,
      [luma.subarray(y * lumaStride), blue.subarray((y / 2) * blueStride), red.subarray((y / 2) * redStride)],
      [lumaStride, blueStride, redStride],
    );
  }
}
