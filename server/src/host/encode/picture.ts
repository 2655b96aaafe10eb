import { AV_PIX_FMT_BGR0 } from 'node-av/constants';
import { Frame } from 'node-av/lib';
import type { FrameSource } from '../capture/frame-source.js';
import type { Rect } from '../capture/rect.js';

const BYTES_PER_PIXEL = 4;

/**
 * The screen as it was last read, in memory that encoders read directly. 4:2:0 video needs even sizes, so the picture may be
 * one column and one row larger than the screen; those repeat their neighbours, which costs next to no bits.
 */
export class Picture {
  readonly codedWidth: number;
  readonly codedHeight: number;
  readonly frame: Frame;
  readonly data: Buffer;
  readonly stride: number;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.codedWidth = width + (width % 2);
    this.codedHeight = height + (height % 2);
    this.frame = new Frame();
    this.frame.alloc();
    this.frame.format = AV_PIX_FMT_BGR0;
    this.frame.width = this.codedWidth;
    this.frame.height = this.codedHeight;
    this.frame.getBuffer();
    const plane = this.frame.data?.[0];
    const stride = this.frame.linesize[0];
    if (!plane || !stride) throw new Error('No memory for a picture.');
    this.data = plane;
    this.stride = stride;
  }

  /** Brings the picture up to date; tells what changed. */
  async read(source: FrameSource, everything: boolean): Promise<Rect | undefined> {
    const changed = await source.read(this, everything);
    if (changed && (this.codedWidth !== this.width || this.codedHeight !== this.height)) this.#pad(changed);
    return changed;
  }

  get bounds(): Rect {
    return { x: 0, y: 0, width: this.codedWidth, height: this.codedHeight };
  }

  close(): void {
    this.frame.free();
  }

  #pad(changed: Rect): void {
    const { data, stride, width, height } = this;
    if (this.codedWidth !== width) {
      for (let y = changed.y; y < changed.y + changed.height; y++) {
        const last = y * stride + (width - 1) * BYTES_PER_PIXEL;
        data.copy(data, last + BYTES_PER_PIXEL, last, last + BYTES_PER_PIXEL);
      }
    }
    if (this.codedHeight !== height) data.copy(data, height * stride, (height - 1) * stride, height * stride);
  }
}
