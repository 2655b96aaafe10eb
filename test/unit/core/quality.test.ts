import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { CloudBrowserClient } from '../../../src/core/client.js';
import { QualityMeter } from '../../../src/core/quality.js';
import { FakeHost } from '../../fakes/fake-host.js';
import { ManualTimers } from '../../fakes/manual-timers.js';

describe('the quality of a connection', () => {
  let told: string[];
  let meter: QualityMeter;

  beforeEach(() => {
    told = [];
    meter = new QualityMeter((quality) => told.push(quality));
  });

  const samples = (...roundTrips: number[]) => roundTrips.forEach((each) => meter.sample(each));

  it('is known after the first round trip', () => {
    assert.equal(meter.value, undefined);
    samples(40);
    assert.equal(meter.value, 'good');
    meter.state('reconnecting');
    meter.state('playing');
    samples(500);
    assert.deepEqual(told, ['good', 'lost', 'poor']);
  });

  it('does not change after one sample, or between its two thresholds', () => {
    samples(40, 500, 40, 500, 250, 250, 250);
    assert.deepEqual(told, ['good']);
    samples(400, 400);
    assert.deepEqual(told, ['good', 'poor']);
    samples(100, 100, 250, 100, 100, 400, 250, 250, 250);
    assert.deepEqual(told, ['good', 'poor']);
    samples(100, 100, 100);
    assert.deepEqual(told, ['good', 'poor', 'good']);
  });

  it('is poor at once for a very slow sample, and lost when no data arrives', () => {
    samples(40, 2_000);
    assert.equal(meter.value, 'poor');
    samples(4_000);
    assert.equal(meter.value, 'lost');
    samples(60);
    assert.deepEqual(told, ['good', 'poor', 'lost', 'good']);
  });

  it('is poor while frames arrive ever later, whatever the round trip, also when capture times wrap', () => {
    samples(40);
    const start = 2 ** 32 - 300_000;
    // Frames are captured every 50 ms. From the tenth on, the connection takes 100 ms for each.
    for (let frame = 0; frame < 10; frame++)
      meter.frame((start + frame * 50_000) % 2 ** 32, 1_000 + frame * 50);
    samples(40);
    assert.equal(meter.value, 'good');
    for (let frame = 10; frame < 60; frame++)
      meter.frame((start + frame * 50_000) % 2 ** 32, 500 + frame * 100);
    samples(40);
    assert.equal(meter.value, 'poor');
    // A still screen sends no frames.
    samples(40, 40, 40, 40, 40, 40);
    assert.equal(meter.value, 'good');
  });

  it('depends on the delay of frames, not on their rate', () => {
    samples(40);
    for (let frame = 0; frame < 20; frame++) meter.frame(frame * 3_000_000, frame * 3_000 + (frame % 2) * 20);
    samples(40, 40, 40);
    assert.deepEqual(told, ['good']);
  });

  it('does not change when no frame arrives for longer than a turn of the capture times', () => {
    samples(40);
    meter.frame(1_000_000, 1_000);
    const pause = 80 * 60_000;
    meter.frame((1_000_000 + pause * 1_000) % 2 ** 32, 1_000 + pause + 20);
    samples(40, 40, 40);
    assert.deepEqual(told, ['good']);
  });

  it('does not depend on a clock of the host that is slower by 50 millionths, for hours', () => {
    samples(40);
    for (let second = 0; second < 4 * 3_600; second++) {
      meter.frame((second * 999_950) % 2 ** 32, second * 1_000);
      if (second % 2 === 0) samples(40);
    }
    assert.deepEqual(told, ['good']);
  });

  it('is reported by the client, also for a host that does not answer', async () => {
    const [host, timers] = [new FakeHost(), new ManualTimers()];
    const client = new CloudBrowserClient({
      ...{ embedUrl: 'https://host.example/a', media: ['image'], timers, createSocket: host.createSocket },
    });
    client.on('quality', (quality) => told.push(quality));
    const connected = client.connect();
    host.last.welcome();
    await connected;
    assert.equal(client.quality, undefined);
    timers.advance(30);
    host.last.send({ type: 'pong', id: host.last.of('ping').at(-1)?.id ?? 0 });
    assert.equal(client.quality, 'good');
    timers.advance(4_000);
    assert.equal(client.quality, 'poor');
    timers.advance(2_000);
    assert.equal(client.quality, 'lost');
    client.disconnect();
    assert.deepEqual([client.quality, told], [undefined, ['good', 'poor', 'lost']]);
  });
});
