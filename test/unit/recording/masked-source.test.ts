import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Block, Rect } from '../../../server/src/host/capture/frame-source.js';
import type { MaskedAreas } from '../../../server/src/host/features/recording/masked/mask-history.js';
import { MaskedSource } from '../../../server/src/host/features/recording/masked/masked-source.js';
import { systemClock } from '../../../server/src/platform/time/clock.js';
import { PassingTime } from '../../fakes/passing-time.js';
import { PatternSource } from '../../fakes/pattern-source.js';

const SIZE = { width: 256, height: 128 };
const FIELD: Rect = { x: 64, y: 40, width: 100, height: 20 };
/** Time in which a picture is certainly read. */
const LONG_MS = 5_000;

let time: PassingTime;
let areas: () => Promise<MaskedAreas>;
let screen: PatternSource;
let source: MaskedSource;
/** The picture that leaves the source. */
let picture: Buffer;
let wakes: number;

beforeEach(() => {
  time = new PassingTime();
  areas = () => Promise.resolve([FIELD]);
  screen = new PatternSource(SIZE.width, SIZE.height);
  source = new MaskedSource(
    Object.assign(screen, { ended: new Promise<void>(() => undefined) }),
    () => areas(),
    systemClock,
  );
  picture = Buffer.alloc(SIZE.width * SIZE.height * 4, 0x77);
  wakes = 0;
  source.onDamage = () => void (wakes += 1);
});

afterEach(() => {
  source.close();
  time.restore();
});

const take = ({ x, y, width, height, data }: Block) => {
  for (let row = 0; row < height; row++)
    data.copy(picture, ((y + row) * SIZE.width + x) * 4, row * width * 4, (row + 1) * width * 4);
};

async function read(everything = false): Promise<Rect | undefined> {
  const reading = source.read(take, everything);
  await time.pass(LONG_MS);
  return reading;
}

/** Returns true if every pixel of an area is black. */
function isBlack({ x, y, width, height }: Rect): boolean {
  for (let row = y; row < y + height; row++)
    for (let column = x; column < x + width; column++)
      if (picture.readUInt32LE((row * SIZE.width + column) * 4) !== 0) return false;
  return true;
}

const WHOLE = { x: 0, y: 0, ...SIZE };

describe('the screen without masked fields', () => {
  it('is black where a field is, and only there', async () => {
    assert.deepEqual(await read(true), WHOLE);
    assert.equal(isBlack(FIELD), true);
    for (const place of [
      { x: 0, y: 0, width: SIZE.width, height: 36 },
      { x: 0, y: 64, width: SIZE.width, height: 64 },
      { x: 168, y: 40, width: 88, height: 20 },
    ])
      assert.equal(isBlack(place), false);
  });

  it('stays black when only a part of the field has changed', async () => {
    await read(true);
    screen.paint(2);
    screen.damage({ x: 70, y: 45, width: 4, height: 4 });
    assert.ok(source.damaged);
    await read();
    assert.equal(isBlack(FIELD), true);
  });

  it('covers the old and the new place of a field that the page reports late', async () => {
    await read(true);
    const moved = { ...FIELD, y: 80 };
    screen.damage();
    const reading = source.read(take, false);
    // The page reports the new place only after the picture was read.
    await time.pass(100);
    areas = () => Promise.resolve([moved]);
    await time.pass(LONG_MS);
    await reading;
    assert.equal(isBlack(FIELD) && isBlack(moved), true);
  });

  it('shows the page again, without another change, when the field rests', async () => {
    await read(true);
    screen.damage();
    const reading = source.read(take, false);
    areas = () => Promise.resolve([{ ...FIELD, x: 10, y: 80 }]);
    await time.pass(400);
    await reading;
    assert.equal(isBlack(WHOLE), true);
    assert.equal(source.damaged, false);
    await time.pass(LONG_MS);
    assert.deepEqual([source.damaged, wakes > 0], [true, true]);
    await read();
    assert.equal(isBlack(WHOLE), false);
    assert.equal(isBlack({ ...FIELD, x: 10, y: 80 }), true);
    assert.equal(source.damaged, false);
  });

  it('is black when a page does not answer, fails, or answers late', async () => {
    for (const answer of [
      () => Promise.resolve('unknown' as const),
      () => Promise.reject(new Error('The page is gone.')),
      () => new Promise<MaskedAreas>(() => undefined),
    ]) {
      areas = answer;
      const reading = source.read(take, true);
      await time.pass(60_000);
      await reading;
      assert.equal(isBlack(WHOLE), true);
    }
  });

  it('requests nothing while the screen rests', async () => {
    await read(true);
    await time.pass(LONG_MS);
    let asked = 0;
    areas = () => {
      asked += 1;
      return Promise.resolve([FIELD]);
    };
    await time.pass(60_000);
    assert.equal(asked, 0);
    assert.equal(source.damaged, false);
  });
});
