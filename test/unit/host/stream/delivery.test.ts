import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { Delivery } from '../../../../server/src/host/stream/delivery.js';

let now: number;
let delivery: Delivery;

beforeEach(() => {
  now = 1_000;
  delivery = new Delivery(() => now);
});

test('a viewer whose speed is unknown receives a few frames', () => {
  for (let frame = 1; frame <= 4; frame++) {
    assert.equal(delivery.ready, true);
    delivery.sent(frame);
  }
  assert.equal(delivery.ready, false);
});

test('a viewer that acknowledges in time receives every frame', () => {
  for (let frame = 1; frame <= 200; frame++) {
    assert.equal(delivery.ready, true);
    delivery.sent(frame);
    now += 16;
    delivery.acknowledged(frame);
  }
});

test('a distant viewer does not count as slow', () => {
  delivery.sent(1);
  now += 300;
  delivery.acknowledged(1);
  for (let frame = 2; frame <= 20; frame++) {
    delivery.sent(frame);
    now += 16;
  }
  assert.equal(delivery.ready, true);
});

test('a viewer that falls a fifth of a second behind receives no frames until it has caught up', () => {
  delivery.sent(1);
  now += 20;
  delivery.acknowledged(1);
  delivery.sent(2);
  now += 221;
  assert.equal(delivery.ready, false);
  delivery.acknowledged(2);
  assert.equal(delivery.ready, true);
});

test('a viewer that was ready when a frame was begun takes it', () => {
  delivery.sent(1);
  now += 20;
  delivery.acknowledged(1);
  delivery.sent(2);
  now += 219;
  assert.equal(delivery.ready, true);
  now += 30;
  assert.deepEqual([delivery.ready, delivery.takes], [false, true]);
  now += 60;
  assert.equal(delivery.takes, false);
});

test('an acknowledgement covers all earlier frames', () => {
  for (const frame of [1, 2, 3]) delivery.sent(frame);
  delivery.acknowledged(3);
  assert.equal(delivery.empty, true);
});

test('an acknowledgement of an unsent frame has no effect', () => {
  delivery.sent(1);
  delivery.acknowledged(99);
  assert.equal(delivery.empty, false);
});

test('a new stream starts with an empty pipe and a key frame', () => {
  delivery.needsKeyFrame = false;
  delivery.sent(1);
  delivery.reset();
  assert.equal(delivery.empty, true);
  assert.equal(delivery.needsKeyFrame, true);
});

/** Sends a frame that is answered and acknowledged after so many milliseconds. */
function deliver(frame: number, bytes: number, milliseconds: number): void {
  delivery.sent(frame, bytes);
  const id = delivery.line.ping() ?? 0;
  now += milliseconds;
  delivery.line.ponged(id);
  delivery.acknowledged(frame);
}

test('a thin line is full with what it delivers in its round trip and a little more', () => {
  for (let count = 0; count < 3; count++) deliver(1, 10, 100);
  deliver(2, 40_000, 100 + 200);
  // 200 bytes per millisecond and 140 ms.
  delivery.sent(3, 27_000);
  assert.equal(delivery.lineIsFull, false);
  delivery.sent(4, 2_000);
  assert.equal(delivery.lineIsFull, true);
  const id = delivery.line.ping() ?? 0;
  now += 150;
  delivery.line.ponged(id);
  assert.equal(delivery.lineIsFull, false);
});

test('a line goes on behind a lost packet, so frames are sent although no answer comes', () => {
  for (let count = 0; count < 3; count++) deliver(1, 10, 100);
  deliver(2, 40_000, 100 + 200);
  delivery.sent(3, 27_000);
  now += 70;
  delivery.sent(4, 2_000);
  assert.equal(delivery.lineIsFull, true);
  // Nothing is answered for 82 ms. The line has transmitted 16,400 bytes meanwhile.
  now += 12;
  assert.equal(delivery.lineIsFull, true);
  now += 60;
  assert.equal(delivery.lineIsFull, false);
  // The limit is another round trip: 200 bytes per millisecond and 240 ms.
  delivery.sent(5, 20_000);
  now += 150;
  assert.equal(delivery.lineIsFull, true);
});

test('a viewer on a measured line has time for a repeated packet', () => {
  for (let count = 0; count < 3; count++) deliver(1, 10, 100);
  deliver(2, 40_000, 100 + 200);
  delivery.sent(3, 1_000);
  now += 350;
  assert.equal(delivery.ready, true);
  now += 60;
  assert.equal(delivery.ready, false);
});

test('a viewer whose pings are not answered any more does not stay full', () => {
  for (let count = 0; count < 3; count++) deliver(1, 10, 100);
  deliver(2, 40_000, 100 + 200);
  delivery.sent(3, 100_000);
  delivery.line.ping();
  assert.equal(delivery.lineIsFull, true);
  delivery.acknowledged(3);
  assert.equal(delivery.lineIsFull, false);
});
