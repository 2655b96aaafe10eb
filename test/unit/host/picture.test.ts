import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Picture } from '../../../server/src/host/encode/picture.js';
import { PatternSource } from '../../fakes/pattern-source.js';

/** The visible samples of each plane, without what lies between rows. */
function planesOf({ frame, codedWidth, codedHeight }: Picture): Buffer[] {
  return [0, 1, 2].map((plane) => {
    const half = plane === 0 ? 1 : 2;
    const data = frame.data?.[plane] ?? Buffer.alloc(0);
    const stride = frame.linesize[plane] ?? 0;
    const rows = Array.from({ length: codedHeight / half }, (_, row) =>
      data.subarray(row * stride, row * stride + codedWidth / half),
    );
    return Buffer.concat(rows);
  });
}

for (const [width, height] of [
  [256, 120],
  [251, 120],
  [256, 121],
  [107, 83],
] as const) {
  test(`changed parts of ${width}x${height} come out exactly as they do within the whole picture`, async () => {
    const source = new PatternSource(width, height);
    const whole = new Picture(width, height);
    const piecewise = new Picture(width, height);
    await piecewise.read(source, true);
    source.paint(500);
    await whole.read(source, true);
    for (let y = 0; y < height; y += 14) {
      for (let x = 0; x < width; x += 50) {
        source.damage({ x, y, width: Math.min(50, width - x), height: Math.min(14, height - y) });
        await piecewise.read(source, false);
      }
    }
    assert.deepEqual(planesOf(piecewise), planesOf(whole));
    whole.close();
    piecewise.close();
  });
}

test('a picture that did not change is not read', async () => {
  const source = new PatternSource(64, 64);
  const picture = new Picture(64, 64);
  await picture.read(source, true);
  assert.equal(await picture.read(source, false), undefined);
  picture.close();
});
