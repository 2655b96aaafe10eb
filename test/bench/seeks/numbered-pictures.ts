import type { Rect } from '../../../server/src/host/capture/frame-source.js';
import { H264Encoder } from '../../../server/src/host/encode/h264-encoder.js';
import { QUALITIES } from '../../../server/src/host/encode/quality.js';
import { ScreenImage } from '../../../server/src/host/encode/screen-image.js';
import { seeded } from '../../support/seeded.js';

/** Size of a picture, and of the square that shows one bit of a number. */
export const [WIDTH, HEIGHT, FIELD] = [1280, 720, 64];
const BYTES_PER_PIXEL = 4;
/** Bits of each of the two numbers. */
export const BITS = 12;
/** Tops of the rows of squares: the number of the group, and that of the picture in its group. */
export const ROWS = { group: 64, nth: 576 } as const;
/** Part of the picture that looks like text, between the two rows. */
const TEXT = { top: 192, bottom: 512, line: 16, letter: 4 };

/**
 * Encodes pictures that show two numbers: that of their group, and their own number in it. A group starts
 * with a key frame. Its other pictures change only the second number, so they fit behind every key frame, and
 * few pictures have to be encoded for a long video.
 */
export class NumberedPictures {
  readonly #picture = new ScreenImage(WIDTH, HEIGHT, 'shared');
  readonly #encoder = new H264Encoder(this.#picture, 24, QUALITIES.smooth.video, 'shared');
  readonly #bytes = background();
  readonly #whole = { x: 0, y: 0, width: WIDTH, height: HEIGHT };

  /** Returns the key frame of a group. Its own number is 0. */
  keyFrame(group: number): Buffer {
    this.#write(group, ROWS.group);
    this.#write(0, ROWS.nth);
    return this.#encode(true, this.#whole);
  }

  /** Returns the next picture of a group. Its own number is `nth`. */
  next(nth: number): Buffer {
    this.#write(nth, ROWS.nth);
    return this.#encode(false, { x: 0, y: ROWS.nth, width: BITS * FIELD, height: FIELD });
  }

  close(): void {
    this.#encoder.close();
    this.#picture.close();
  }

  #write(number: number, top: number): void {
    for (let bit = 0; bit < BITS; bit++) {
      const level = (number >> bit) & 1 ? 255 : 0;
      for (let y = top; y < top + FIELD; y++) {
        const start = (y * WIDTH + bit * FIELD) * BYTES_PER_PIXEL;
        this.#bytes.fill(level, start, start + FIELD * BYTES_PER_PIXEL);
      }
    }
  }

  #encode(keyFrame: boolean, area: Rect): Buffer {
    this.#picture.take({ ...this.#whole, data: this.#bytes });
    return this.#encoder.encode(this.#picture, { keyFrame, sharpness: 1, strain: 0, area }).data;
  }
}

/** Returns grey pixels with lines of dark marks, which cost as many bits as text. */
function background(): Buffer {
  const bytes = Buffer.alloc(WIDTH * HEIGHT * BYTES_PER_PIXEL, 224);
  const random = seeded(1);
  for (let y = TEXT.top; y < TEXT.bottom; y++) {
    if (y % TEXT.line >= TEXT.line / 2) continue;
    for (let x = 0; x < WIDTH; x += TEXT.letter) {
      const start = (y * WIDTH + x) * BYTES_PER_PIXEL;
      if (random() < 0.5) bytes.fill(32, start, start + TEXT.letter * BYTES_PER_PIXEL);
    }
  }
  return bytes;
}
