import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, mock, test } from 'node:test';
import type { Chroma } from '../../../../server/src/host/encode/screen-image.js';
import type { Rect } from '../../../../server/src/host/capture/frame-source.js';
import type { EncodeRequest, Encoder } from '../../../../server/src/host/encode/encoder.js';
import { FramePump, type PumpedFrame, type PumpSink } from '../../../../server/src/host/stream/frame-pump.js';
import { PatternSource } from '../../../fakes/pattern-source.js';

class FakeEncoder implements Encoder {
  readonly codec = 'fake';
  refinesAreas = true;
  readonly pictures: unknown[] = [];
  readonly requests: EncodeRequest[] = [];
  closed = false;
  fail = false;

  constructor(readonly chroma: Chroma = 'shared') {}

  encode(picture: unknown, request: EncodeRequest) {
    if (this.fail) throw new Error('broken');
    this.requests.push(request);
    this.pictures.push(picture);
    return { data: Buffer.from([this.requests.length]), keyFrame: request.keyFrame };
  }

  encodeAside(picture: unknown, request: EncodeRequest) {
    return Promise.resolve().then(() => this.encode(picture, request));
  }

  close(): void {
    this.closed = true;
  }
}

class FakeSink implements PumpSink {
  ready = true;
  strain = 0;
  frameBytes = Infinity;
  bandBytes = Infinity;
  refinementWait = 0;
  captures = 0;
  readonly frames: PumpedFrame[] = [];

  onCapture(): void {
    this.captures++;
  }

  onFrame(frame: PumpedFrame): void {
    this.frames.push(frame);
  }
}

let source: PatternSource;
let encoder: FakeEncoder;
let sink: FakeSink;
let pump: FramePump;
let errors: unknown[];

/** Runs everything that needs no time. */
async function settle(): Promise<void> {
  for (let round = 0; round < 5; round++) await turn();
}

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
