import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { LineMeter } from '../../../../server/src/host/stream/line-meter.js';

const ROUND_TRIP = 80;

let now: number;
let meter: LineMeter;
/** Time when the simulated line has transmitted everything. */
let freeAt: number;
let answers: { at: number; id: number }[];

beforeEach(() => {
  now = 1_000;
  freeAt = 0;
  answers = [];
  meter = new LineMeter(() => now);
});

/** Sends a frame and its ping over a line with this rate, in bytes per millisecond. */
function send(bytes: number, rate: number, delay = 0): void {
  meter.sent(bytes);
  const id = meter.ping();
  freeAt = Math.max(freeAt, now) + bytes / rate;
  const at = Math.max(freeAt + ROUND_TRIP + delay, answers.at(-1)?.at ?? 0);
  if (id !== undefined) answers.push({ at, id });
}

/** Lets time pass, and delivers the answers that are due. */
function pass(milliseconds: number): void {
  const end = now + milliseconds;
  while (answers[0] && answers[0].at <= end) {
    const { at, id } = answers.shift() ?? { at: now, id: 0 };
    now = at;
    meter.ponged(id);
  }
  now = end;
}

function sendAndPass(milliseconds: number, ...frame: Parameters<typeof send>): void {
  send(...frame);
  pass(milliseconds);
}

/** Measures the round trip of a line while it is empty. */
function measureRoundTrip(rate: number): void {
  for (let count = 0; count < 3; count++) sendAndPass(500, 100, rate);
}

/** Asserts that the estimate is within a fifth of a rate. */
const isAbout = (rate: number) =>
  assert.ok(Math.abs(meter.rate / rate - 1) < 0.2, `${meter.rate} instead of ${rate}`);

test('a viewer that never answers is not limited', () => {
  for (let frame = 0; frame < 1_000; frame++) {
    meter.sent(10_000);
    meter.ping();
    now += 16;
  }
  assert.equal(meter.rate, Infinity);
  assert.equal(meter.isDistant, false);
});

test('the first large frame shows the rate of a thin line', () => {
  sendAndPass(500, 100, 187);
  sendAndPass(1_000, 40_000, 187);
  isAbout(187);
  assert.ok(meter.roundTrip <= ROUND_TRIP + 1);
});

test('a queue at the start does not make a thin line look fast', () => {
  for (const bytes of [42_000, 60_000, 43_000]) sendAndPass(500, bytes, 1_000);
  // The first small answers show the round trip without a queue.
  measureRoundTrip(1_000);
  isAbout(1_000);
});

test('the answer with the shortest round trip does not show a rate', () => {
  sendAndPass(500, 42_000, 1_000);
  sendAndPass(500, 41_000, 1_000);
  measureRoundTrip(1_000);
  send(100, 1_000);
  sendAndPass(500, 20_000, 1_000);
  isAbout(1_000);
});

test('frames that fill the line show its rate', () => {
  sendAndPass(500, 100, 187);
  for (let frame = 0; frame < 20; frame++) sendAndPass(16, 6_000, 187);
  pass(5_000);
  isAbout(187);
});

test('a movement that does not fill the line does not make the estimate small', () => {
  measureRoundTrip(1_000);
  for (let frame = 0; frame < 600; frame++) sendAndPass(16, 5_000, 1_000);
  isAbout(1_000);
});

test('a line is new until a large frame was answered', () => {
  sendAndPass(500, 100, 187);
  assert.equal(meter.isNew, true);
  sendAndPass(1_000, 40_000, 187);
  assert.equal(meter.isNew, false);
});

test('a round trip that is measured too long does not make a thin line look fast', () => {
  // The first answer comes late, because the viewer's browser is still starting.
  sendAndPass(500, 100, 187, 26);
  for (let frame = 0; frame < 100; frame++) {
    send(5_000, 187);
    // The line is never empty, so no later answer shows the round trip.
    pass(26);
  }
  assert.ok(meter.rate < 187 * 4, `${meter.rate} is far more than the line's rate`);
});

test('the queue of a line is what it has not transmitted yet, although no answer comes', () => {
  sendAndPass(500, 100, 100);
  sendAndPass(1_000, 40_000, 100);
  isAbout(100);
  meter.sent(10_000);
  now += 60;
  assert.ok(meter.inFlight === 10_000 && meter.queued < 5_000 && meter.queued > 3_000, `${meter.queued}`);
  now += 60;
  assert.deepEqual([meter.inFlight, meter.queued, meter.isSilent], [10_000, 0, true]);
});

test('many small frames before one ping do not make a line look fast', () => {
  sendAndPass(500, 100, 1_000);
  sendAndPass(500, 40_000, 1_000);
  for (let frame = 0; frame < 600; frame++) {
    // Each frame has arrived before the next ping, which covers six of them.
    if (frame % 6 === 5) send(2_000, 1_000);
    else meter.sent(2_000);
    pass(16);
  }
  assert.ok(meter.rate < 1_200, `${meter.rate} is more than the line's rate`);
});

test('stalls after lost packets do not make the estimate small', () => {
  measureRoundTrip(1_000);
  for (let frame = 0; frame < 60; frame++) sendAndPass(100, 8_000, 1_000, frame % 4 === 0 ? 150 : 0);
  isAbout(1_000);
});

test('a line that gets slower is noticed within seconds', () => {
  measureRoundTrip(1_000);
  for (let frame = 0; frame < 10; frame++) sendAndPass(100, 8_000, 1_000);
  for (let frame = 0; frame < 60; frame++) sendAndPass(100, 8_000, 200);
  isAbout(200);
});

test('a near viewer and a fast line are not limited', () => {
  for (const [time, bytes] of [
    [1, 40_000],
    [30, 400_000],
  ] as const) {
    meter = new LineMeter(() => now);
    for (let frame = 0; frame < 10; frame++) {
      meter.sent(frame === 0 ? 10 : bytes);
      const id = meter.ping() ?? 0;
      now += time + (frame === 0 ? 0 : bytes / 20_000);
      meter.ponged(id);
      now += 100;
    }
    assert.equal(meter.rate, Infinity);
  }
});

test('an answer to an unknown ping has no effect', () => {
  meter.ponged(7);
  assert.equal(meter.roundTrip, Infinity);
});

test('bytes are in flight until a later ping is answered', () => {
  send(1_000, 100);
  send(2_000, 100);
  assert.equal(meter.inFlight, 3_000);
  pass(5_000);
  assert.equal(meter.inFlight, 0);
});

test('a longer way is noticed after half a minute', () => {
  sendAndPass(500, 100, 1_000);
  for (let second = 0; second < 31; second++) {
    const id = (meter.sent(10), meter.ping()) ?? 0;
    now += 300;
    meter.ponged(id);
    now += 700;
  }
  assert.equal(meter.roundTrip, 300);
});

test('a line loses packets if answers are late again and again', () => {
  for (const bytes of [100, 5_000]) sendAndPass(500, bytes, 1_000);
  sendAndPass(500, 5_000, 1_000, 150);
  assert.equal(meter.isLossy, false);
  sendAndPass(500, 5_000, 1_000, 150);
  assert.equal(meter.isLossy, true);
  pass(30_000);
  assert.equal(meter.isLossy, false);
});

test('answers that one stall held back count once, and large frames are not stalls', () => {
  sendAndPass(500, 100, 100);
  for (let frame = 0; frame < 3; frame++) sendAndPass(1_000, 30_000, 100);
  for (const delay of [150, 140, 130]) send(100, 100, delay);
  pass(500);
  assert.equal(meter.isLossy, false);
});
