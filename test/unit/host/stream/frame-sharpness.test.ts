import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import type { Rect } from '../../../../server/src/host/capture/frame-source.js';
import type { EncodeRequest } from '../../../../server/src/host/encode/encoder.js';
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

/** A viewer with a thin line, so that pictures are refined in bands. */
async function startOnThinLine(): Promise<void> {
  await start();
  sink.bandBytes = 1;
}

const refinements = () => sink.frames.map(({ refinement }) => refinement);
const sharpnesses = () => encoder.requests.map(({ sharpness }) => sharpness);

test('a change during sharpening is encoded after it', async () => {
  await start();
  mock.timers.tick(120);
  await damage();
  assert.deepEqual(refinements(), [false, true, false]);
  const numbers = sink.frames.map(({ number }) => number);
  assert.deepEqual(numbers, [1, 2, 3]);
});

test('a still picture is sharpened in two steps, then not again', async () => {
  await start();
  for (const milliseconds of [119, 1, 199, 1, 10_000]) await pass(milliseconds);
  assert.deepEqual(sharpnesses(), [0, 0.5, 1]);
  assert.deepEqual(refinements(), [false, true, true]);
});

test('a picture is sharpened only when bits are available', async () => {
  await start();
  sink.strain = 0.3;
  await pass(1_000);
  assert.equal(sink.frames.length, 1);
  sink.strain = 0;
  await pass(120);
  assert.deepEqual(refinements(), [false, true]);
});

test('a moving picture is coarser when bits are scarce', async () => {
  sink.strain = 0.4;
  await start();
  assert.equal(encoder.requests[0]?.strain, 0.4);
});

test('a change restarts the sharpening', async () => {
  await start();
  await pass(120);
  await damage();
  await pass(320);
  assert.deepEqual(sharpnesses(), [0, 0.5, 0, 0.5]);
});

test('a viewer that joins receives a sharp picture if it is already sharp', async () => {
  await start();
  await pass(120);
  await pass(200);
  pump.requestKeyFrame(sink);
  await settle();
  assert.equal(encoder.requests.at(-1)?.sharpness, 1);
});

test('over a thin line a picture is sharpened in bands, one at a time', async () => {
  await startOnThinLine();
  await pass(120);
  const bands = encoder.requests.filter(({ areaOnly }) => areaOnly);
  const areas = bands.map(({ area }) => [area.y, area.height]);
  assert.deepEqual(areas.slice(0, 3), [
    [0, 16],
    [16, 16],
    [32, 16],
  ]);
  assert.equal(sink.frames.at(-1)?.refinement, true);
});

test('a refinement waits for its turn on the line, and goes on afterwards', async () => {
  await startOnThinLine();
  sink.refinementWait = 30;
  await pass(120);
  assert.equal(sink.frames.length, 1);
  sink.refinementWait = 0;
  await pass(120);
  assert.equal(sink.frames.at(-1)?.refinement, true);
});

test('a change between two bands starts the refinement again', async () => {
  await startOnThinLine();
  const onFrame = sink.onFrame.bind(sink);
  sink.onFrame = (frame) => {
    onFrame(frame);
    if (frame.refinement) sink.refinementWait = 20;
  };
  await pass(120);
  assert.equal(sink.frames.length, 2);
  await damage();
  sink.refinementWait = 0;
  await pass(120);
  const refined = sink.frames.filter(({ refinement }) => refinement).map(({ area }) => area.y);
  assert.deepEqual(refined, [0, 0]);
});

test('all bands are sent in the end, and both steps', async () => {
  await startOnThinLine();
  const onFrame = sink.onFrame.bind(sink);
  sink.onFrame = (frame) => {
    onFrame(frame);
    sink.refinementWait = 20;
  };
  for (let step = 0; step < 200; step++) {
    mock.timers.tick(10);
    sink.refinementWait = Math.max(0, sink.refinementWait - 10);
    await settle();
  }
  const refined = encoder.requests.filter(({ sharpness }) => sharpness > 0);
  assert.deepEqual(
    refined.map(({ sharpness, area }) => [sharpness, area.y]),
    [0.5, 1].flatMap((sharpness) => [0, 16, 32].map((y) => [sharpness, y])),
  );
});

test('a key frame that must be small is coarse, and sharpened again', async () => {
  await start();
  await pass(120);
  await pass(200);
  sink.frameBytes = 10_000;
  pump.requestKeyFrame(sink);
  await settle();
  const { sharpness, maxBytes } = encoder.requests.at(-1) ?? {};
  assert.deepEqual([sharpness, maxBytes], [0, 10_000]);
  await pass(120);
  assert.equal(encoder.requests.at(-1)?.sharpness, 0.5);
});

test('over a slow line the second step of sharpening comes after a second', async () => {
  sink.bandBytes = 1_000_000;
  await start();
  for (const milliseconds of [120, 879]) await pass(milliseconds);
  assert.equal(encoder.requests.at(-1)?.sharpness, 0.5);
  await pass(1);
  assert.equal(encoder.requests.at(-1)?.sharpness, 1);
});

/** Replaces the picture, or an area, after so many milliseconds of rest. Returns the requests that follow. */
async function replacedAfter(rest: number, area?: Rect): Promise<EncodeRequest[]> {
  await start();
  await pass(rest);
  const before = encoder.requests.length;
  source.paint(500_000);
  await damage(area);
  return encoder.requests.slice(before);
}

test('a picture at rest that is replaced as a whole is encoded without its predecessor', async () => {
  const [first, ...more] = await replacedAfter(120);
  assert.deepEqual([first?.keyFrame, first?.sharpness, more], [true, 0, []]);
});

test('a moving picture, and a change of a part, use the picture before', async () => {
  const [whole, ...more] = await replacedAfter(0);
  assert.deepEqual([whole?.keyFrame, more], [false, []]);
  const part = await replacedAfter(120, { x: 0, y: 0, width: 64, height: 24 });
  assert.equal(part.at(-1)?.keyFrame, false);
});

test('a picture whose bytes are limited uses the picture before', async () => {
  sink.frameBytes = 5_000;
  const [request, ...more] = await replacedAfter(120);
  assert.deepEqual([request?.keyFrame, more], [false, []]);
});
