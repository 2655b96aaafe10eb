import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { FramePump } from '../../../../server/src/host/stream/frame-pump.js';
import { PatternSource } from '../../../fakes/pattern-source.js';
import { FakeEncoder, FakeSink, settle } from '../../../fakes/pumped-frames.js';

let source: PatternSource;
let encoder: FakeEncoder;
let sink: FakeSink;
let pump: FramePump;
let errors: unknown[];

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  source = new PatternSource(64, 48);
  encoder = new FakeEncoder();
  sink = new FakeSink();
  errors = [];
  pump = new FramePump(source, (error) => errors.push(error));
});

afterEach(async () => {
  await pump.close();
  mock.timers.reset();
});

test('a viewer that joins right after its format starts receives a frame', async () => {
  sink.ready = false;
  pump.add(sink, encoder);
  sink.ready = true;
  pump.requestKeyFrame(sink);
  await settle();
  assert.equal(sink.frames.length, 1);
});

test('an encoder receives the areas that changed since its last picture', async () => {
  const whole = { x: 0, y: 0, width: 64, height: 48 };
  pump.add(sink, encoder);
  await settle();
  mock.timers.tick(120);
  await settle();
  mock.timers.tick(200);
  await settle();
  source.damage({ x: 3, y: 5, width: 4, height: 4 });
  await settle();
  sink.ready = false;
  source.damage({ x: 3, y: 21, width: 4, height: 4 });
  await settle();
  sink.ready = true;
  pump.wake();
  await settle();
  mock.timers.tick(120);
  await settle();
  const [first, second, third] = [
    { x: 0, y: 4, width: 64, height: 6 },
    { x: 0, y: 20, width: 64, height: 6 },
    { x: 0, y: 4, width: 64, height: 22 },
  ];
  assert.deepEqual(
    encoder.requests.map(({ area }) => area),
    [whole, whole, whole, first, second, third],
  );
  assert.deepEqual(
    sink.frames.map(({ area }) => area),
    encoder.requests.map(({ area }) => area),
  );
});

test('nothing is captured without viewers', async () => {
  source.damage();
  await settle();
  assert.equal(source.reads, 0);
});

test('the first frame of a format is a key frame, the next one is not', async () => {
  pump.add(sink, encoder);
  await settle();
  source.damage();
  await settle();
  assert.deepEqual(
    sink.frames.map(({ keyFrame, number }) => [keyFrame, number]),
    [
      [true, 1],
      [false, 2],
    ],
  );
});

test('changes while no viewer can receive are sent as one frame with the newest picture', async () => {
  pump.add(sink, encoder);
  await settle();
  sink.ready = false;
  for (let change = 0; change < 5; change++) {
    source.damage();
    await settle();
  }
  assert.equal(sink.frames.length, 1);
  sink.ready = true;
  pump.wake();
  await settle();
  assert.equal(sink.frames.length, 2);
  assert.equal(source.reads, 2);
});

test('a change during encoding is never lost', async () => {
  pump.add(sink, encoder);
  source.damage();
  await settle();
  source.damage();
  source.damage();
  await settle();
  const before = source.reads;
  source.damage();
  await settle();
  assert.equal(source.reads, before + 1);
});

test('a requested key frame is sent without a change', async () => {
  pump.add(sink, encoder);
  await settle();
  pump.requestKeyFrame(sink);
  await settle();
  assert.deepEqual(
    sink.frames.map(({ keyFrame }) => keyFrame),
    [true, true],
  );
  assert.equal(source.reads, 1);
});

test('all formats are encoded from the same reading of the screen', async () => {
  const other = new FakeSink();
  pump.add(sink, encoder);
  pump.add(other, new FakeEncoder());
  await settle();
  const reads = source.reads;
  const captures = [sink.captures, other.captures];
  source.damage();
  await settle();
  assert.equal(source.reads, reads + 1);
  assert.deepEqual(
    [sink.captures, other.captures],
    captures.map((count) => count + 1),
  );
  assert.equal(other.frames.at(-1)?.captureTime, sink.frames.at(-1)?.captureTime);
});

test('an encoder failure is reported, and the pump closes its source and encoders', async () => {
  encoder.fail = true;
  pump.add(sink, encoder);
  await settle();
  assert.equal(errors.length, 1);
  await pump.close();
  assert.equal(encoder.closed, true);
  assert.equal(source.closed, false);
});

test('closing the pump resolves when the source is no longer read', async () => {
  let finish: () => void = () => undefined;
  const slow = source.read.bind(source);
  source.read = async (...args) => {
    await new Promise<void>((resolve) => (finish = resolve));
    return slow(...args);
  };
  pump.add(sink, encoder);
  let closed = false;
  const done = pump.close().then(() => (closed = true));
  await settle();
  assert.equal(closed, false);
  finish();
  await done;
  assert.deepEqual([encoder.closed, sink.frames.length], [true, 0]);
});

test('a format with another pixel layout receives the whole screen from the same reading', async () => {
  pump.add(sink, encoder);
  await settle();
  const other = new FakeEncoder('full');
  pump.add(new FakeSink(), other);
  await settle();
  assert.equal(source.reads, 2);
  assert.equal(other.requests.length, 1);
  assert.notEqual(other.pictures[0], encoder.pictures[0]);
  source.damage({ x: 0, y: 0, width: 8, height: 8 });
  await settle();
  assert.equal(source.reads, 3);
  assert.deepEqual([encoder.requests.length, other.requests.length], [3, 2]);
});

test('a frame that only repeats the picture has an empty area', async () => {
  pump.add(sink, encoder);
  await settle();
  const encode = encoder.encode.bind(encoder);
  encoder.encode = (picture, request) => ({ ...encode(picture, request), repeats: true });
  source.damage({ x: 3, y: 5, width: 4, height: 4 });
  await settle();
  mock.timers.tick(120);
  await settle();
  assert.deepEqual(
    sink.frames.map(({ area, refinement }) => [area.width, area.height, refinement]),
    [
      [64, 48, false],
      [0, 0, false],
      [0, 0, true],
    ],
  );
});

test('a removed format gets no frame, and its encoder is closed after the frame that it encodes', async () => {
  let encoded: () => void = () => undefined;
  encoder.encodeAside = async (picture, request) => {
    await new Promise<void>((resolve) => (encoded = resolve));
    return encoder.encode(picture, request);
  };
  pump.add(sink, encoder);
  await settle();
  mock.timers.tick(120);
  await settle();
  pump.remove(sink);
  assert.equal(encoder.closed, false);
  encoded();
  await settle();
  assert.deepEqual([encoder.closed, sink.frames.length, errors.length], [true, 1, 0]);
});
