import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { LateViewers } from '../../../../server/src/host/stream/late-viewers.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

const viewer = {};
let clock: ManualClock;
let late: LateViewers;

beforeEach(() => {
  clock = new ManualClock();
  late = new LateViewers(clock);
});

test('a viewer is late if it misses frames twice within ten seconds', () => {
  assert.equal(late.missed(viewer, false), false);
  clock.advance(10_000);
  assert.equal(late.missed(viewer, false), false);
  clock.advance(9_999);
  assert.equal(late.missed(viewer, false), true);
  assert.equal(late.missed({}, false), false);
});

test('a viewer on a thin line is late after the first missed frame', () => {
  assert.equal(late.missed(viewer, true), true);
});

test('a late viewer is late no more after a minute without a missed frame', () => {
  late.missed(viewer, false);
  late.add(viewer);
  clock.advance(50_000);
  assert.equal(late.missed(viewer, false), false, 'it is late already');
  clock.advance(60_000);
  assert.equal(late.isOver(viewer), false);
  clock.advance(1);
  assert.equal(late.isOver(viewer), true);
  late.forget(viewer);
  assert.deepEqual([late.has(viewer), late.isOver(viewer)], [false, false]);
});
