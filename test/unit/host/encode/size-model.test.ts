import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { SizeModel } from '../../../../server/src/host/encode/size-model.js';

const PIXELS = 921_600;
let now: number;
let model: SizeModel;

beforeEach(() => {
  now = 1_000;
  model = new SizeModel(() => now);
});

/** Bytes of a picture whose complexity is a multiple of that of text. */
const bytesOf = (complexity: number, quantiser: number) => (1.6 * complexity * PIXELS) / 2 ** (quantiser / 6);

test('a small area may be fine, a page of text is coarse but readable', () => {
  assert.ok(model.quantiserFor(10_000, 10_000) <= 12);
  assert.equal(model.quantiserFor(PIXELS, 10_000), 40);
});

test('during movement the quantiser fits the picture', () => {
  for (const complexity of [8, 0.05]) {
    for (let frame = 0; frame < 30; frame++) {
      const quantiser = model.quantiserFor(PIXELS, 20_000);
      model.record(PIXELS, quantiser, bytesOf(complexity, quantiser));
      now += 16;
    }
    const bytes = bytesOf(complexity, model.quantiserFor(PIXELS, 20_000));
    assert.ok(bytes <= 21_000 && bytes > 15_000, `${bytes}`);
  }
});

test('after a rest a simple movement tells nothing about the next picture', () => {
  model.record(PIXELS, 24, 1_000);
  now += 300;
  assert.equal(model.quantiserFor(PIXELS, 10_000), 40);
});

test('tiny areas are not counted', () => {
  model.record(100, 24, 10_000);
  assert.equal(model.quantiserFor(PIXELS, PIXELS), 5);
});

test('noise with long gaps between its frames does not get finer again', () => {
  for (let frame = 0; frame < 10; frame++) {
    const quantiser = model.quantiserFor(PIXELS, 20_000);
    model.record(PIXELS, quantiser, bytesOf(8, quantiser));
    now += 1_000;
  }
  assert.ok(bytesOf(8, model.quantiserFor(PIXELS, 20_000)) < 21_000);
});
