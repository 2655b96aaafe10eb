import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MediaMeter } from '../../../src/media/media-meter.js';

describe('MediaMeter', () => {
  it('returns rates over the last second', () => {
    const meter = new MediaMeter();
    for (let at = 0; at < 2000; at += 20) {
      meter.received(1000, at);
      meter.painted(3, at);
    }
    const figures = meter.snapshot(1999);
    assert.equal(figures.framesPerSecond, 50);
    assert.equal(figures.bitsPerSecond, 400_000);
    assert.equal(figures.framesPainted, 100);
    assert.equal(meter.snapshot(5000).framesPerSecond, 0);
  });

  it('returns medians, which one slow frame does not change', () => {
    const meter = new MediaMeter();
    for (const time of [3, 900, 2, 4, 3]) {
      meter.painted(time, 0);
      meter.inputShown(time * 10);
    }
    assert.equal(meter.snapshot(0).decodeTime, 3);
    assert.equal(meter.snapshot(0).inputToPhoton, 30);
  });

  it('returns no time without measurements', () => {
    const figures = new MediaMeter().snapshot(0);
    assert.equal(figures.decodeTime, undefined);
    assert.equal(figures.inputToPhoton, undefined);
  });
});
