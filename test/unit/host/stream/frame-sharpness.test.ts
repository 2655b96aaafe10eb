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

test('a change during sharpening is encoded after it', async () => {
  pump.add(sink, encoder);
  await settle();
  mock.timers.tick(120);
  source.damage();
  await settle();
  assert.deepEqual(
    sink.frames.map(({ refinement, number }) => [refinement, number]),
    [
      [false, 1],
      [true, 2],
      [false, 3],
    ],
  );
});

test('a still picture is sharpened in two steps, then not again', async () => {
  pump.add(sink, encoder);
  await settle();
  for (const milliseconds of [119, 1, 199, 1, 10_000]) {
    mock.timers.tick(milliseconds);
    await settle();
  }
  assert.deepEqual(
    encoder.requests.map(({ sharpness }) => sharpness),
    [0, 0.5, 1],
  );
  assert.deepEqual(
    sink.frames.map(({ refinement }) => refinement),
    [false, true, true],
  );
});

test('a picture is sharpened only when bits are available', async () => {
  pump.add(sink, encoder);
  await settle();
  sink.strain = 0.3;
  mock.timers.tick(1_000);
  await settle();
  assert.equal(sink.frames.length, 1);
  sink.strain = 0;
  mock.timers.tick(120);
  await settle();
  assert.deepEqual(
    sink.frames.map(({ refinement }) => refinement),
    [false, true],
  );
});

test('a moving picture is coarser when bits are scarce', async () => {
  sink.strain = 0.4;
  pump.add(sink, encoder);
  await settle();
  assert.equal(encoder.requests[0]?.strain, 0.4);
});

test('a change restarts the sharpening', async () => {
  pump.add(sink, encoder);
  await settle();
  mock.timers.tick(120);
  await settle();
  source.damage();
  await settle();
  mock.timers.tick(320);
  await settle();
  assert.deepEqual(
    encoder.requests.map(({ sharpness }) => sharpness),
    [0, 0.5, 0, 0.5],
  );
});

test('a viewer that joins receives a sharp picture if it is already sharp', async () => {
  pump.add(sink, encoder);
  await settle();
  mock.timers.tick(120);
  await settle();
  mock.timers.tick(200);
  await settle();
  pump.requestKeyFrame(sink);
  await settle();
  assert.equal(encoder.requests.at(-1)?.sharpness, 1);
});

test('over a thin line a picture is sharpened in bands, one at a time', async () => {
  pump.add(sink, encoder);
  await settle();
  sink.bandBytes = 1;
  mock.timers.tick(120);
  await settle();
  const bands = () =>
    encoder.requests.filter(({ areaOnly }) => areaOnly).map(({ area }) => [area.y, area.height]);
  const first = bands().slice(0, 3);
  assert.deepEqual(first, [
    [0, 16],
    [16, 16],
    [32, 16],
  ]);
  assert.equal(sink.frames.at(-1)?.refinement, true);
});

test('a refinement waits for its turn on the line, and goes on afterwards', async () => {
  pump.add(sink, encoder);
  await settle();
  sink.bandBytes = 1;
  sink.refinementWait = 30;
  mock.timers.tick(120);
  await settle();
  assert.equal(sink.frames.length, 1);
  sink.refinementWait = 0;
  mock.timers.tick(120);
  await settle();
  assert.equal(sink.frames.at(-1)?.refinement, true);
});

test('a change between two bands starts the refinement again', async () => {
  pump.add(sink, encoder);
  await settle();
  sink.bandBytes = 1;
  const onFrame = sink.onFrame.bind(sink);
  sink.onFrame = (frame) => {
    onFrame(frame);
    if (frame.refinement) sink.refinementWait = 20;
  };
  mock.timers.tick(120);
  await settle();
  assert.equal(sink.frames.length, 2);
  source.damage();
  await settle();
  sink.refinementWait = 0;
  mock.timers.tick(120);
  await settle();
  const refined = sink.frames.filter(({ refinement }) => refinement).map(({ area }) => area.y);
  assert.deepEqual(refined, [0, 0]);
});

test('all bands are sent in the end, and both steps', async () => {
  pump.add(sink, encoder);
  await settle();
  sink.bandBytes = 1;
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
  pump.add(sink, encoder);
  await settle();
  mock.timers.tick(120);
  await settle();
  mock.timers.tick(200);
  await settle();
  sink.frameBytes = 10_000;
  pump.requestKeyFrame(sink);
  await settle();
  const { sharpness, maxBytes } = encoder.requests.at(-1) ?? {};
  assert.deepEqual([sharpness, maxBytes], [0, 10_000]);
  mock.timers.tick(120);
  await settle();
  assert.equal(encoder.requests.at(-1)?.sharpness, 0.5);
});

test('over a slow line the second step of sharpening comes after a second', async () => {
  sink.bandBytes = 1_000_000;
  pump.add(sink, encoder);
  await settle();
  for (const milliseconds of [120, 879]) {
    mock.timers.tick(milliseconds);
    await settle();
  }
  assert.equal(encoder.requests.at(-1)?.sharpness, 0.5);
  mock.timers.tick(1);
  await settle();
  assert.equal(encoder.requests.at(-1)?.sharpness, 1);
});

/** Replaces the picture, or an area, after so many milliseconds of rest. Returns the requests that follow. */
async function replacedAfter(rest: number, area?: Rect): Promise<EncodeRequest[]> {
  pump.add(sink, encoder);
  await settle();
  mock.timers.tick(rest);
  await settle();
  const before = encoder.requests.length;
  source.paint(500_000);
  source.damage(area);
  await settle();
  return encoder.requests.slice(before);
}

test('a picture at rest that is replaced as a whole is encoded without its predecessor', async () => {
  const requests = await replacedAfter(120);
  assert.deepEqual(
    requests.map(({ keyFrame, sharpness }) => [keyFrame, sharpness]),
    [[true, 0]],
  );
});

test('a moving picture, and a change of a part, use the picture before', async () => {
  assert.deepEqual(
    (await replacedAfter(0)).map(({ keyFrame }) => keyFrame),
    [false],
  );
  const part = await replacedAfter(120, { x: 0, y: 0, width: 64, height: 24 });
  assert.deepEqual(part.map(({ keyFrame }) => keyFrame).slice(-1), [false]);
});

test('a picture whose bytes are limited uses the picture before', async () => {
  sink.frameBytes = 5_000;
  assert.deepEqual(
    (await replacedAfter(120)).map(({ keyFrame }) => keyFrame),
    [false],
  );
});
