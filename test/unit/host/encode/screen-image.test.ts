import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ScreenImage, type Chroma, ScreenImages } from '../../../../server/src/host/encode/screen-image.js';
import { PatternSource } from '../../../fakes/pattern-source.js';

/** The visible samples of each plane, without the padding of rows. */
function planesOf({ frame, codedWidth, codedHeight }: ScreenImage, chroma: Chroma): Buffer[] {
  return [0, 1, 2].map((plane) => {
    const half = plane === 0 || chroma === 'full' ? 1 : 2;
    const data = frame.data?.[plane] ?? Buffer.alloc(0);
    const stride = frame.linesize[plane] ?? 0;
    const rows = Array.from({ length: codedHeight / half }, (_, row) =>
      data.subarray(row * stride, row * stride + codedWidth / half),
    );
    return Buffer.concat(rows);
  });
}

for (const [width, height, chroma] of [
  [256, 120, 'shared'],
  [251, 120, 'shared'],
  [256, 121, 'shared'],
  [107, 83, 'shared'],
  [107, 83, 'limited'],
  [256, 120, 'full'],
  [107, 83, 'full'],
] as const) {
  test(`changed areas of ${width}x${height}, chroma ${chroma}, are identical to those of the whole picture`, async () => {
    const source = new PatternSource(width, height);
    const whole = new ScreenImage(width, height, chroma);
    const piecewise = new ScreenImage(width, height, chroma);
    await source.read((block) => piecewise.take(block), true);
    source.paint(500);
    await source.read((block) => whole.take(block), true);
    for (let y = 0; y < height; y += 14) {
      for (let x = 0; x < width; x += 50) {
        source.damage({ x, y, width: Math.min(50, width - x), height: Math.min(14, height - y) });
        await source.read((block) => piecewise.take(block), false);
      }
    }
    assert.deepEqual(planesOf(piecewise, chroma), planesOf(whole, chroma));
    whole.close();
    piecewise.close();
  });
}

test('unchanged pictures are not read', async () => {
  const source = new PatternSource(64, 64);
  const pictures = new ScreenImages(64, 64);
  pictures.of('shared');
  await pictures.read(source);
  assert.equal(await pictures.read(source), undefined);
  pictures.close();
});
