import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LipSync } from '../../../src/media/sound/lip-sync.js';

/**
 * Returns the host's capture time for a moment of the page's clock. The clocks have different origins, and
 * the host's wraps within this test.
 */
const captured = (milliseconds: number) => ((milliseconds + 4_294_000) * 1_000) % 2 ** 32;

describe('lip sync', () => {
  it('measures the delay of sound after its picture, also when the clock wraps', () => {
    const sync = new LipSync();
    for (let time = 0; time < 2_000; time += 40) {
      sync.shown(captured(time), time + 50);
      // A packet of 20 ms has the capture time of its end, so this one began 20 ms before.
      sync.heard(captured(time), time + 100);
      assert.ok(Math.abs((sync.offset ?? NaN) - 70) < 1, `${sync.offset} at ${time}`);
    }
  });

  it('returns how long a sound should wait for its picture', () => {
    const sync = new LipSync();
    assert.equal(sync.wait(captured(0), 0), undefined);
    for (let time = 0; time < 2_000; time += 40) sync.shown(captured(time), time + 180);
    assert.ok(Math.abs((sync.wait(captured(2_000), 2_010) ?? NaN) - 150) < 1);
    assert.ok((sync.wait(captured(2_000), 2_300) ?? 0) < 0);
  });

  it('returns nothing for a still picture', () => {
    const sync = new LipSync();
    sync.shown(captured(0), 50);
    assert.equal(sync.wait(captured(2_060), 2_070), undefined);
    sync.heard(captured(2_060), 2_080);
    assert.equal(sync.offset, undefined);
  });
});
