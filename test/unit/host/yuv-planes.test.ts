import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Picture } from '../../../server/src/host/encode/picture.js';
import { YuvPlanes } from '../../../server/src/host/encode/yuv-planes.js';

const WIDTH = 256;
const HEIGHT = 120;

function noise(picture: Picture, seed: number): void {
  for (let index = 0; index < picture.data.length; index++) picture.data[index] = ((index + seed) * 7919) >>> 3;
}

test('a band that changed comes out exactly as it does within the whole picture', () => {
  const picture = new Picture(WIDTH, HEIGHT);
  const whole = new YuvPlanes(WIDTH, HEIGHT);
  const banded = new YuvPlanes(WIDTH, HEIGHT);
  noise(picture, 1);
  banded.convert(picture, picture.bounds);
  noise(picture, 500);
  whole.convert(picture, picture.bounds);
  for (let y = 0; y < HEIGHT; y += 15) banded.convert(picture, { x: 0, y, width: WIDTH, height: 15 });
  for (const plane of [0, 1, 2]) {
    assert.deepEqual(banded.frame.data?.[plane], whole.frame.data?.[plane], `plane ${plane}`);
  }
  for (const thing of [picture, whole, banded]) thing.close();
});

test('nothing is converted when nothing changed', () => {
  const picture = new Picture(WIDTH, HEIGHT);
  const planes = new YuvPlanes(WIDTH, HEIGHT);
  noise(picture, 1);
  planes.convert(picture, picture.bounds);
  const before = Buffer.from(planes.frame.data?.[0] ?? []);
  noise(picture, 2);
  planes.convert(picture, { x: 0, y: 0, width: 0, height: 0 });
  assert.deepEqual(planes.frame.data?.[0], before);
  for (const thing of [picture, planes]) thing.close();
});
