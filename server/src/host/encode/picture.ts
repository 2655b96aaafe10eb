import {
  AV_LOG_ERROR,
  AV_PIX_FMT_BGR0,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUVJ420P,
  AV_PIX_FMT_YUVJ444P,
  SWS_AREA,
} from 'node-av/constants';
import { Frame, Log, SoftwareScaleContext } from 'node-av/lib';
import { BYTES_PER_PIXEL, type Block, type FrameSource, type Rect } from '../capture/frame-source.js';

/**
 * How many colour samples there are: one for each square of four pixels (4:2:0), or one for each pixel (4:4:4). `limited` is
 * `shared` with levels from 16 to 235, for decoders that take all levels for those.
 */
export type Chroma = 'shared' | 'limited' | 'full';

// Each scaler would warn about these formats, and the last lines of the log must tell the cause of a failure.
Log.setLevel(AV_LOG_ERROR);

/** libavutil's formats of these pictures; those with a J have the full range of levels. */
export const PIXEL_FORMATS = {
  shared: AV_PIX_FMT_YUVJ420P,
  limited: AV_PIX_FMT_YUV420P,
  full: AV_PIX_FMT_YUVJ444P,
} as const;

/**
 * The screen as it was last read, as encoders take it: with BT.601 coefficients, swscale's default. 4:2:0 needs even sizes, so
 * the picture may be one column and one row larger than the screen; those repeat their neighbours.
 *
 * Blocks are converted as they are read, while they are in the cache. The area filter looks at nothing beyond a pair of
 * columns and rows, so a block comes out exactly as it does within the whole picture.
 */
export class Picture {
  readonly codedWidth: number;
  readonly codedHeight: number;
  readonly frame = new Frame();
  /** One for each width of a block: as many as the grid has columns, at most. */
  readonly #scalers = new Map<number, SoftwareScaleContext>();
  /** A block with its padding, where the screen's size is odd. */
  #padded = Buffer.alloc(0);

  constructor(
    readonly width: number,
    readonly height: number,
    private readonly chroma: Chroma,
  ) {
    this.codedWidth = width + (width % 2);
    this.codedHeight = height + (height % 2);
    this.frame.alloc();
    this.frame.format = PIXEL_FORMATS[chroma];
    this.frame.width = this.codedWidth;
    this.frame.height = this.codedHeight;
    this.frame.getBuffer();
  }

  /** Shows a part of the screen as it is now. */
  take(block: Block): void {
    const { x, y, width, height, data } = isEven(block) ? block : this.#pad(block);
    const [luma, blue, red] = this.frame.data ?? [];
    const [lumaStride = 0, blueStride = 0, redStride = 0] = this.frame.linesize;
    if (!luma || !blue || !red) return;
    const shared = this.chroma === 'full' ? 1 : 2;
    const [colourX, colourY] = [x / shared, y / shared];
    this.#scaler(width).scaleSync(
      [data],
      [width * BYTES_PER_PIXEL],
      0,
      height,
      [
        luma.subarray(y * lumaStride + x),
        blue.subarray(colourY * blueStride + colourX),
        red.subarray(colourY * redStride + colourX),
      ],
      [lumaStride, blueStride, redStride],
    );
  }

  close(): void {
    for (const scaler of this.#scalers.values()) scaler.freeContext();
    this.frame.free();
  }

  /** Repeats the last column, the last row, or both. */
  #pad({ x, y, width, height, data }: Block): Block {
    const [paddedWidth, paddedHeight] = [width + (width % 2), height + (height % 2)];
    const [from, to] = [width * BYTES_PER_PIXEL, paddedWidth * BYTES_PER_PIXEL];
    if (this.#padded.length < to * paddedHeight) this.#padded = Buffer.alloc(to * paddedHeight);
    const padded = this.#padded;
    for (let row = 0; row < height; row++) {
      data.copy(padded, row * to, row * from, (row + 1) * from);
      if (to > from) padded.copy(padded, row * to + from, row * to + from - BYTES_PER_PIXEL, row * to + from);
    }
    if (paddedHeight > height) padded.copy(padded, height * to, (height - 1) * to, height * to);
    return { x, y, width: paddedWidth, height: paddedHeight, data: padded };
  }

  #scaler(width: number): SoftwareScaleContext {
    let scaler = this.#scalers.get(width);
    if (!scaler) {
      scaler = new SoftwareScaleContext();
      const { codedHeight } = this;
      scaler.getContext(
        ...([width, codedHeight, AV_PIX_FMT_BGR0] as const),
        ...([width, codedHeight, PIXEL_FORMATS[this.chroma], SWS_AREA] as const),
      );
      this.#scalers.set(width, scaler);
    }
    return scaler;
  }
}

/** Whether whole pairs of columns and rows share their colours. */
function isEven({ width, height }: Block): boolean {
  return width % 2 === 0 && height % 2 === 0;
}

/** The screen as it was last read, in each form that some encoder takes. It is read once for all of them. */
export class Pictures {
  readonly #pictures = new Map<Chroma, Picture>();
  /** Some picture has not seen the whole screen yet. */
  #incomplete = true;

  constructor(
    private readonly width: number,
    private readonly height: number,
  ) {}

  /** The picture of this form. A new one is empty until the next {@link read}. */
  of(chroma: Chroma): Picture {
    let picture = this.#pictures.get(chroma);
    if (!picture) {
      picture = new Picture(this.width, this.height, chroma);
      this.#pictures.set(chroma, picture);
      this.#incomplete = true;
    }
    return picture;
  }

  /** Whether all pictures show what was read last. */
  get complete(): boolean {
    return !this.#incomplete;
  }

  /** Brings all pictures up to date; tells what changed. */
  async read(source: FrameSource): Promise<Rect | undefined> {
    const everything = this.#incomplete;
    this.#incomplete = false;
    const pictures = [...this.#pictures.values()];
    return source.read((block) => {
      for (const picture of pictures) picture.take(block);
    }, everything);
  }

  close(): void {
    for (const picture of this.#pictures.values()) picture.close();
  }
}
