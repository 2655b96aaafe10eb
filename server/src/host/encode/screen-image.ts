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
import { ContentChange } from './content-change.js';

/**
 * Chroma subsampling: one colour sample for each square of four pixels (4:2:0), or one for each pixel
 * (4:4:4). `shared` is 4:2:0, `full` is 4:4:4. `limited` is like `shared`, but with levels from 16 to 235,
 * for decoders that assume this range.
 */
export type Chroma = 'shared' | 'limited' | 'full';

// Without this line, each scaler logs a warning about the pixel formats with a J in their names. After a
// failure, the last lines of the log would then contain these warnings instead of the cause.
Log.setLevel(AV_LOG_ERROR);

/** libavutil's pixel formats. The formats with a J have the full range of levels. */
export const PIXEL_FORMATS = {
  shared: AV_PIX_FMT_YUVJ420P,
  limited: AV_PIX_FMT_YUV420P,
  full: AV_PIX_FMT_YUVJ444P,
} as const;

/**
 * The content of the screen at the last read, in a pixel format for encoders, with BT.601 coefficients
 * (swscale's default). 4:2:0 needs even sizes. So the picture may have one more column and one more row than
 * the screen. The additional ones repeat the screen's last column and row.
 *
 * Each block is converted as soon as it is read, while it is in the processor's cache. The area filter uses
 * only pairs of columns and rows. So converting single blocks gives the same result as converting the whole
 * picture.
 */
export class ScreenImage {
  readonly codedWidth: number;
  readonly codedHeight: number;
  readonly frame = new Frame();
  /** Measures the share of the picture that has changed since the last call of its `restart`. */
  readonly change: ContentChange;
  /**
   * Scalers, by the width of the blocks that they convert. `onGrid` limits the number of different widths.
   */
  readonly #scalers = new Map<number, SoftwareScaleContext>();
  /** Buffer for a block with its padding, if the screen's size is odd. */
  #padded = Buffer.alloc(0);

  constructor(
    readonly width: number,
    readonly height: number,
    private readonly chroma: Chroma,
  ) {
    this.codedWidth = width + (width % 2);
    this.codedHeight = height + (height % 2);
    this.change = new ContentChange({ width, height });
    this.frame.alloc();
    this.frame.format = PIXEL_FORMATS[chroma];
    this.frame.width = this.codedWidth;
    this.frame.height = this.codedHeight;
    this.frame.getBuffer();
  }

  /** Updates a part of the picture from a block of the screen. */
  take(block: Block): void {
    const even = isEven(block) ? block : this.#pad(block);
    const [luma] = this.frame.data ?? [];
    const [stride = 0] = this.frame.linesize;
    if (luma) this.change.during(block, { data: luma, stride }, () => this.#convert(even));
  }

  #convert({ x, y, width, height, data }: Block): void {
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

  /** Returns a block of even size. Repeats the last column, the last row, or both. */
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

/** True if the width and the height of a block are even. */
function isEven({ width, height }: Block): boolean {
  return width % 2 === 0 && height % 2 === 0;
}

/**
 * Content of the screen at the last read, in each format that an encoder uses. The screen is read once for
 * all formats.
 */
export class ScreenImages {
  readonly #pictures = new Map<Chroma, ScreenImage>();
  /** True if a picture does not contain the whole screen yet. */
  #incomplete = true;

  constructor(
    private readonly width: number,
    private readonly height: number,
  ) {}

  /** Returns the picture in this format. A new picture is empty until the next {@link read}. */
  of(chroma: Chroma): ScreenImage {
    let picture = this.#pictures.get(chroma);
    if (!picture) {
      picture = new ScreenImage(this.width, this.height, chroma);
      this.#pictures.set(chroma, picture);
      this.#incomplete = true;
    }
    return picture;
  }

  /** True if all pictures contain the last read content. */
  get complete(): boolean {
    return !this.#incomplete;
  }

  /** Updates all pictures. Returns the area that changed. */
  async read(source: FrameSource): Promise<Rect | undefined> {
    const everything = this.#incomplete;
    this.#incomplete = false;
    const pictures = [...this.#pictures.values()];
    for (const picture of pictures) picture.change.restart();
    return source.read((block) => {
      for (const picture of pictures) picture.take(block);
    }, everything);
  }

  close(): void {
    for (const picture of this.#pictures.values()) picture.close();
  }
}
