import { H264Encoder } from '../../server/src/host/encode/h264-encoder.js';
import { ScreenImage } from '../../server/src/host/encode/screen-image.js';
import { QUALITIES } from '../../server/src/host/encode/quality.js';

/** Encodes pictures of a moving pattern as H.264, like the stream of a session. */
export class TestStream {
  readonly #picture: ScreenImage;
  readonly #encoder: H264Encoder;
  #number = 0;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.#picture = new ScreenImage(width, height, 'shared');
    this.#encoder = new H264Encoder(this.#picture, 24, QUALITIES.smooth.video, 'shared');
  }

  frame(keyFrame: boolean): Buffer {
    const { width, height } = this;
    const data = Buffer.alloc(width * height * 4);
    for (let at = 0; at < data.length; at++) data[at] = (at * 3 + this.#number * 40) & 255;
    this.#number += 1;
    const area = { x: 0, y: 0, width, height };
    this.#picture.take({ ...area, data });
    return this.#encoder.encode(this.#picture, { keyFrame, sharpness: 0, strain: 0, area }).data;
  }

  close(): void {
    this.#encoder.close();
    this.#picture.close();
  }
}
