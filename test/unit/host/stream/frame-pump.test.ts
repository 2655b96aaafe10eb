import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import type { Rect } from '../../../../server/src/host/capture/frame-source.js';
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

/** Shows the first picture. */
async function start(): Promise<void> {
  pump.add(sink, encoder);
  await settle();
}

async function pass(milliseconds: number): Promise<void> {
  mock.timers.tick(milliseconds);
  await settle();
}

async function damage(area?: Rect): Promise<void> {
  source.damage(area);
  await settle();
}

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
  await start();
  await pass(120);
  await pass(200);
  await damage({ x: 3, y: 5, width: 4, height: 4 });
  sink.ready = false;
  await damage({ x: 3, y: 21, width: 4, height: 4 });
  sink.ready = true;
  pump.wake();
  await settle();
  await pass(120);
  const areas = encoder.requests.map(({ area }) => area);
  const band = { x: 0, y: 4, width: 64, height: 6 };
  assert.deepEqual(areas, [whole, whole, whole, band, { ...band, y: 20 }, { ...band, height: 22 }]);
  const sent = sink.frames.map(({ area }) => area);
  assert.deepEqual(sent, areas);
});

test('nothing is captured without viewers', async () => {
  await damage();
  assert.equal(source.reads, 0);
});

test('the first frame of a format is a key frame, the next one is not', async () => {
  await start();
  await damage();
  const frames = sink.frames.map(({ keyFrame, number }) => ({ keyFrame, number }));
  assert.deepEqual(frames, [
    { keyFrame: true, number: 1 },
    { keyFrame: false, number: 2 },
  ]);
});

test('changes while no viewer can receive are sent as one frame with the newest picture', async () => {
  await start();
  sink.ready = false;
  for (let change = 0; change < 5; change++) await damage();
  assert.equal(sink.frames.length, 1);
  sink.ready = true;
  pump.wake();
  await settle();
  assert.equal(sink.frames.length, 2);
  assert.equal(source.reads, 2);
});

test('a change during encoding is never lost', async () => {
  pump.add(sink, encoder);
  await damage();
  source.damage();
  await damage();
  const before = source.reads;
  await damage();
  assert.equal(source.reads, before + 1);
});

test('a requested key frame is sent without a change', async () => {
  await start();
  pump.requestKeyFrame(sink);
  await settle();
  const keyFrames = sink.frames.map(({ keyFrame }) => keyFrame);
  assert.deepEqual(keyFrames, [true, true]);
  assert.equal(source.reads, 1);
});

test('all formats are encoded from the same reading of the screen', async () => {
  const other = new FakeSink();
  pump.add(sink, encoder);
  pump.add(other, new FakeEncoder());
  await settle();
  const counts = () => [source.reads, sink.captures, other.captures];
  const more = counts().map((count) => count + 1);
  await damage();
  assert.deepEqual(counts(), more);
  assert.equal(other.frames.at(-1)?.captureTime, sink.frames.at(-1)?.captureTime);
});

test('an encoder failure is reported, and the pump closes its source and encoders', async () => {
  encoder.fail = true;
  await start();
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
  await start();
  const other = new FakeEncoder('full');
  pump.add(new FakeSink(), other);
  await settle();
  assert.equal(source.reads, 2);
  assert.equal(other.requests.length, 1);
  assert.notEqual(other.pictures[0], encoder.pictures[0]);
  await damage({ x: 0, y: 0, width: 8, height: 8 });
  assert.equal(source.reads, 3);
  assert.deepEqual([encoder.requests.length, other.requests.length], [3, 2]);
});

test('a frame that only repeats the picture has an empty area', async () => {
  await start();
  const encode = encoder.encode.bind(encoder);
  encoder.encode = (picture, request) => ({ ...encode(picture, request), repeats: true });
  await damage({ x: 3, y: 5, width: 4, height: 4 });
  await pass(120);
  const frames = sink.frames.map(({ area, refinement }) => [area.width, area.height, refinement]);
  assert.deepEqual(frames, [
    [64, 48, false],
    [0, 0, false],
    [0, 0, true],
  ]);
});

test('a removed format gets no frame, and its encoder is closed after the frame that it encodes', async () => {
  let encoded: () => void = () => undefined;
  encoder.encodeAside = async (picture, request) => {
    await new Promise<void>((resolve) => (encoded = resolve));
    return encoder.encode(picture, request);
  };
  await start();
  await pass(120);
  pump.remove(sink);
  assert.equal(encoder.closed, false);
  encoded();
  await settle();
  assert.deepEqual([encoder.closed, sink.frames.length, errors.length], [true, 1, 0]);
});
