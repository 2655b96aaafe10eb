import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  DISPLAY_DELAY_MS,
  MaskHistory,
} from '../../../server/src/host/features/recording/masked/mask-history.js';

const SCREEN = { width: 200, height: 100 };
const WHOLE = { x: 0, y: 0, ...SCREEN };
const FIELD = { x: 10, y: 20, width: 50, height: 12 };
/** Time of the picture. */
const READ = 10_000;

describe('the black areas of a picture', () => {
  it('are the fields while they rest', () => {
    const history = new MaskHistory();
    history.add(READ - 5_000, [FIELD]);
    history.add(READ + 50, [FIELD]);
    assert.deepEqual(history.blackAt(READ, SCREEN), { areas: [FIELD], atRest: true });
  });

  it('are nothing on a page without masked fields', () => {
    const history = new MaskHistory();
    history.add(READ, []);
    assert.deepEqual(history.blackAt(READ, SCREEN), { areas: [], atRest: true });
  });

  it('are everything when a page did not answer, and before the first answer', () => {
    const history = new MaskHistory();
    assert.deepEqual(history.blackAt(READ, SCREEN).areas, [WHOLE]);
    history.add(READ - 1, [FIELD]);
    history.add(READ + 50, 'unknown');
    assert.deepEqual(history.blackAt(READ, SCREEN), { areas: [WHOLE], atRest: false });
  });

  for (const [what, other, black] of [
    ['up and down', { ...FIELD, y: 60 }, { ...FIELD, y: 0, height: 100 }],
    ['to the side', { ...FIELD, x: 90 }, { ...FIELD, x: 0, width: 200 }],
    ['anywhere', { ...FIELD, x: 90, y: 60 }, WHOLE],
  ] as const)
    it(`cover a field that moves ${what}, wherever it can be between two answers`, () => {
      const history = new MaskHistory();
      history.add(READ - 100, [FIELD]);
      history.add(READ + 100, [other]);
      assert.deepEqual(history.blackAt(READ, SCREEN), { areas: [black], atRest: false });
    });

  it('grow with a field that grows', () => {
    const history = new MaskHistory();
    history.add(READ - 100, [FIELD]);
    history.add(READ + 100, [{ ...FIELD, width: 90 }]);
    assert.deepEqual(history.blackAt(READ, SCREEN).areas, [{ ...FIELD, width: 90 }]);
  });

  it('are everything while fields appear or disappear, until the display has certainly changed', () => {
    const history = new MaskHistory();
    history.add(READ, [FIELD]);
    history.add(READ + 100, []);
    assert.deepEqual(history.blackAt(READ + 200, SCREEN).areas, [WHOLE]);
    assert.deepEqual(history.blackAt(READ + 99 + DISPLAY_DELAY_MS, SCREEN).areas, [WHOLE]);
    assert.deepEqual(history.blackAt(READ + 100 + DISPLAY_DELAY_MS, SCREEN), { areas: [], atRest: true });
  });
});
