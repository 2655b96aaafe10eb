import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { H264Encoder } from '../../../../server/src/host/encode/h264-encoder.js';
import { ScreenImage } from '../../../../server/src/host/encode/screen-image.js';
import { seeded } from '../../../support/seeded.js';

const [WIDTH, HEIGHT] = [320, 192];
const WHOLE = { x: 0, y: 0, width: WIDTH, height: HEIGHT };
const BAND = { x: 0, y: 64, width: WIDTH, height: 64 };
const STILL = { keyFrame: false, strain: 0 } as const;

let picture: ScreenImage;
let encoder: H264Encoder;

beforeEach(() => {
  picture = new ScreenImage(WIDTH, HEIGHT, 'shared');
  const size = { codedWidth: WIDTH, codedHeight: HEIGHT };
  encoder = new H264Encoder(size, 24, { moving: 24, still: 11, max: 38 }, 'shared', () => 0);
  paint(1);
});
afterEach(() => {
  encoder.close();
  picture.close();
});

/** Fills the picture with noise. */
function paint(seed: number): void {
  const random = seeded(seed);
  const data = Buffer.alloc(WIDTH * HEIGHT * 4);
  for (let index = 0; index < data.length; index++) data[index] = Math.floor(random() * 256);
  picture.take({ ...WHOLE, data });
}

const bytes = (request: Parameters<H264Encoder['encode']>[1]) => encoder.encode(picture, request).data.length;

test('a band is refined without the rest, and stays sharp', () => {
  bytes({ keyFrame: true, sharpness: 0, strain: 0, area: WHOLE });
  const band = bytes({ ...STILL, sharpness: 1, area: BAND, areaOnly: true });
  const again = bytes({ ...STILL, sharpness: 1, area: BAND, areaOnly: true });
  const coarse = bytes({ ...STILL, sharpness: 0, area: BAND });
  const rest = bytes({ ...STILL, sharpness: 1, area: WHOLE });
  assert.ok(band > 5_000, `the band has ${band} bytes`);
  assert.ok(again < band / 10 && coarse < band / 10, `it is repeated with ${again} and ${coarse} bytes`);
  assert.ok(rest > band * 1.6 && rest < band * 2.4, `the rest has ${rest} bytes`);
});

test('the frames of a moving picture keep to their bytes, far beyond the coarsest quantiser', () => {
  const free = bytes({ keyFrame: true, sharpness: 0, strain: 0, area: WHOLE });
  for (const share of [0.5, 0.1, 0.02]) {
    const maxBytes = Math.round(free * share);
    const sizes = Array.from({ length: 12 }, (_, frame) => {
      paint(frame + 2);
      return bytes({ ...STILL, sharpness: 0, area: WHOLE, maxBytes });
    });
    const mean = sizes.slice(4).reduce((sum, size) => sum + size, 0) / (sizes.length - 4);
    assert.ok(mean < maxBytes * 1.15, `${Math.round(mean)} bytes instead of ${maxBytes}`);
  }
});

test('a picture that was coarse because of its bytes is sharpened at rest', () => {
  bytes({ keyFrame: true, sharpness: 0, strain: 0, area: WHOLE });
  paint(2);
  const coarse = bytes({ ...STILL, sharpness: 0, area: WHOLE, maxBytes: 1_000 });
  const sharp = bytes({ ...STILL, sharpness: 1, area: WHOLE });
  assert.ok(sharp > coarse * 5, `${coarse} bytes, then ${sharp}`);
  assert.ok(bytes({ ...STILL, sharpness: 1, area: WHOLE }) < sharp / 10);
});

test('a frame tells if it only repeats the picture', () => {
  for (const chroma of ['shared', 'limited', 'full'] as const) {
    for (const [width, height] of [
      [16, 16],
      [320, 192],
      [1920, 1080],
    ] as const) {
      const area = { x: 0, y: 0, width, height };
      const pixels = Buffer.alloc(width * height * 4, 128);
      const image = new ScreenImage(width, height, chroma);
      const size = { codedWidth: width, codedHeight: height };
      const codec = new H264Encoder(size, 24, { moving: 24, still: 11, max: 38 }, chroma, () => 0);
      const repeats = (keyFrame = false) => {
        image.take({ ...area, data: pixels });
        return codec.encode(image, { keyFrame, sharpness: 0, strain: 0, area }).repeats;
      };
      assert.deepEqual([repeats(true), repeats(), repeats()], [false, true, true]);
      // One block of four pixels that gets lighter.
      for (const row of [0, 1, 2, 3]) pixels.fill(255, (row * width + 8) * 4, (row * width + 12) * 4);
      assert.deepEqual([repeats(), repeats(true)], [false, false], `${chroma} ${width}x${height}`);
      assert.equal(repeats(), true);
      for (const row of [1, 2, 3, 4])
        pixels.fill(0, ((height - row) * width + 8) * 4, ((height - row) * width + 12) * 4);
      assert.equal(repeats(), false, `the last rows, ${chroma} ${width}x${height}`);
      codec.close();
      image.close();
    }
  }
});
