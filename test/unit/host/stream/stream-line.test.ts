import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { LineMeter } from '../../../../server/src/host/stream/line-meter.js';
import { StreamLine } from '../../../../server/src/host/stream/stream-line.js';

let now: number;
let viewers: Set<{ delivery: { line: LineMeter } }>;
let line: StreamLine;

beforeEach(() => {
  now = 1_000;
  viewers = new Set();
  line = new StreamLine(viewers, () => now);
});

/** Adds a viewer whose line has a round trip of 50 ms and this rate in bytes per millisecond. */
function join(rate: number): void {
  const meter = new LineMeter(() => now);
  for (const bytes of [10, 10, 10, 40_000]) {
    meter.sent(bytes);
    const id = meter.ping() ?? 0;
    now += 50 + (bytes > 10 ? bytes / rate : 0);
    meter.ponged(id);
  }
  viewers.add({ delivery: { line: meter } });
}

/** Adds a viewer whose line is not measured yet. */
function joinNew(roundTrip = Infinity): void {
  const meter = new LineMeter(() => now);
  if (roundTrip !== Infinity) {
    const id = meter.ping() ?? 0;
    now += roundTrip;
    meter.ponged(id);
  }
  viewers.add({ delivery: { line: meter } });
}

test('a picture is small while no line is known, except for a near viewer', () => {
  joinNew();
  joinNew(200);
  assert.equal(line.frameBytes, 48_000);
  joinNew(1);
  assert.equal(line.frameBytes, Infinity);
});

test('a viewer that answers nothing is not limited for long', () => {
  const meter = new LineMeter(() => now);
  viewers.add({ delivery: { line: meter } });
  meter.sent(400_000);
  assert.equal(line.frameBytes, Infinity);
});

test('without a slow line there are no limits', () => {
  joinNew(1);
  line.inputCame();
  line.sent(1_000_000);
  assert.deepEqual([line.frameBytes, line.bandBytes, line.refinementWait], [Infinity, Infinity, 0]);
});

test('a frame takes a twentieth of a second of the line, a band less', () => {
  join(200);
  assert.deepEqual([Math.round(line.frameBytes), Math.round(line.bandBytes)], [10_000, 3_000]);
});

test('a viewer with a slow line costs a viewer with a fast one nothing', () => {
  join(200);
  join(1_000_000);
  assert.equal(line.frameBytes, Infinity);
});

test('refinements use a part of the line', () => {
  join(200);
  line.sent(1_400);
  assert.equal(Math.round(line.refinementWait), 10);
  now += 5;
  line.sent(1_400);
  assert.equal(Math.round(line.refinementWait), 15);
  now += 20;
  assert.equal(line.refinementWait, 0);
});

test('no refinement is sent right after input', () => {
  join(200);
  line.inputCame();
  assert.equal(line.refinementWait, 100);
  now += 100;
  assert.equal(line.refinementWait, 0);
});

test('the first picture after a rest has few packets if packets are lost', () => {
  join(200);
  const [viewer] = viewers;
  for (let stall = 0; stall < 2; stall++) {
    const id = viewer?.delivery.line.ping() ?? 0;
    now += 200;
    viewer?.delivery.line.ponged(id);
  }
  assert.equal(line.frameBytes, 2_600);
  line.sent(2_000);
  now += 16;
  assert.equal(Math.round(line.frameBytes), 10_000);
  now += 300;
  assert.equal(line.frameBytes, 2_600);
  viewers.add({ delivery: { line: new LineMeter(() => now) } });
  assert.equal(line.frameBytes, Infinity);
});
