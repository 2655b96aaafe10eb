import { AV_PIX_FMT_BGR0, AV_PIX_FMT_YUVJ420P, SWS_AREA } from 'node-av/constants';
import { Frame, SoftwareScaleContext } from 'node-av/lib';
import type { Rect } from '../capture/rect.js';
import type { Picture } from './picture.js';

/** A picture as encoders take it: full-range 4:2:0 with BT.601 coefficients, swscale's default. */
export class YuvPlanes {
  readonly frame = new Frame();
  readonly #scaler = new SoftwareScaleContext();

  constructor(
    private readonly width: number,
    private readonly height: number,
  ) {
    this.frame.alloc();
    this.frame.format = AV_PIX_FMT_YUVJ420P;
    this.frame.width = width;
    this.frame.height = height;
    this.frame.getBuffer();
    this.#scaler.getContext(width, height, AV_PIX_FMT_BGR0, width, height, AV_PIX_FMT_YUVJ420P, SWS_AREA);
  }

  /**
   * Converts the rows that changed, no more: most frames of a browser change a few. The area filter looks at no row beyond
   * a pair, so a band comes out exactly as it does within the whole picture.
   */
  convert(picture: Picture, changed: Rect): void {
    const [luma, blue, red] = this.frame.data ?? [];
    const [lumaStride = 0, blueStride = 0, redStride = 0] = this.frame.linesize;
    if (!luma || !blue || !red || changed.height === 0) return;
    const top = changed.y & ~1;
    const bottom = Math.min(this.height, (changed.y + changed.height + 1) & ~1);
    this.#scaler.scaleSync(
      [picture.data.subarray(top * picture.stride)],
      [picture.stride],
      0,
      bottom - top,
      [
        luma.subarray(top * lumaStride),
        blue.subarray((top / 2) * blueStride),
        red.subarray((top / 2) * redStride),
      ],
      [lumaStride, blueStride, redStride],
    );
  }

  close(): void {
    this.#scaler.freeContext();
    this.frame.free();
  }
}
