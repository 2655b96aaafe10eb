import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PICTURE_FORMATS } from 'cloud-browser/protocol';
import { encodeStill } from '../../../../server/src/host/encode/still-encoder.js';
import { decodeStill } from '../../../support/decode-still.js';

/** A picture whose left half is red and whose right half is blue, in the order blue, green, red. */
function halves(width: number, height: number): Buffer {
  const data = Buffer.alloc(width * height * 4);
  for (let at = 0; at < width * height; at++) data[at * 4 + (at % width < width / 2 ? 2 : 0)] = 255;
  return data;
}

const near = (value: number, expected: number, tolerance: number) =>
  assert.ok(Math.abs(value - expected) <= tolerance, `${value} is not near ${expected}`);

describe('the encoder of still pictures', () => {
  for (const format of PICTURE_FORMATS)
    it(`makes ${format} that decodes to the picture, also of odd size`, async () => {
      const [width, height] = [101, 51];
      const bytes = await encodeStill(
        { data: halves(width, height), width, height },
        { width, height },
        format,
        90,
      );
      const decoded = await decodeStill(bytes, format);
      assert.deepEqual([decoded.width, decoded.height], [width, height]);
      const tolerance = format === 'png' ? 0 : 12;
      for (const [x, colour] of [
        [10, [255, 0, 0]],
        [90, [0, 0, 255]],
      ] as const)
        decoded.at(x, 25).forEach((value, channel) => near(value, colour[channel] ?? 0, tolerance));
    });

  it('scales', async () => {
    const size = { width: 40, height: 20 };
    const bytes = await encodeStill({ data: halves(80, 40), width: 80, height: 40 }, size, 'png', 90);
    const decoded = await decodeStill(bytes, 'png');
    assert.deepEqual([decoded.width, decoded.height], [40, 20]);
    assert.deepEqual(decoded.at(5, 5), [255, 0, 0]);
    assert.deepEqual(decoded.at(35, 15), [0, 0, 255]);
  });

  it('makes smaller pictures with less quality', async () => {
    const data = Buffer.alloc(200 * 200 * 4);
    for (let at = 0; at < data.length; at++) data[at] = (at * 2_654_435_761) >>> 24;
    const [width, height] = [200, 200];
    for (const format of ['jpeg', 'webp'] as const) {
      const [fine, coarse] = await Promise.all(
        [95, 10].map((quality) => encodeStill({ data, width, height }, { width, height }, format, quality)),
      );
      assert.ok((coarse?.length ?? 0) < (fine?.length ?? 0) / 2, format);
    }
  });
});
