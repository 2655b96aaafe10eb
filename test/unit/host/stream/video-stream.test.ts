import assert from 'node:assert/strict';
import { beforeEach, test, type TestContext } from 'node:test';
import type { Encoder } from '../../../../server/src/host/encode/encoder.js';
import { BitBudget } from '../../../../server/src/host/stream/bit-budget.js';
import { Delivery } from '../../../../server/src/host/stream/delivery.js';
import type { FramePump } from '../../../../server/src/host/stream/frame-pump.js';
import type { PumpedFrame } from '../../../../server/src/host/stream/pump-output.js';
import { LineMeter } from '../../../../server/src/host/stream/line-meter.js';
import { VideoStream, type StreamViewer } from '../../../../server/src/host/stream/video-stream.js';

const STREAM = 1;

let asked: number;
let woken: number;
let missed: StreamViewer[];
let moves: boolean;
let delivery: Delivery;
let viewer: StreamViewer;
let stream: VideoStream;

beforeEach(() => {
  asked = woken = 0;
  const pump = {
    add: () => undefined,
    wake: () => (woken += 1),
    requestKeyFrame: () => (asked += 1),
  } as unknown as FramePump;
  delivery = new Delivery(() => 0);
  viewer = {
    media: 'h264',
    delivery,
    get ready() {
      return delivery.needsKeyFrame ? delivery.empty : delivery.ready;
    },
    markCapture: () => undefined,
    send: () => undefined,
    sendFrame: () => undefined,
  };
  missed = [];
  moves = true;
  stream = new VideoStream('h264', pump, {} as Encoder, STREAM, new BitBudget(1_000_000, () => 0), (late) => {
    missed.push(late);
    return moves;
  });
  stream.add(viewer);
  asked = 0;
});

const send = (frame: number) => {
  delivery.needsKeyFrame = false;
  delivery.sent(frame);
};
const passTime = ({ mock }: TestContext, ms: number) => mock.timers.tick(ms);

test('a viewer that requests a key frame receives it after it has acknowledged all earlier frames', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  send(1);
  send(2);
  stream.restart(viewer);
  stream.acknowledged(viewer, STREAM, 1);
  assert.equal(asked, 0);
  stream.acknowledged(viewer, STREAM, 2);
  assert.equal(asked, 1);
  send(3);
  passTime(context, 10_000);
  assert.equal(delivery.empty, false);
  assert.equal(asked, 1);
});

test('a viewer that never acknowledges receives its key frame a second after the request', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  send(1);
  stream.restart(viewer);
  stream.restart(viewer);
  passTime(context, 999);
  assert.equal(asked, 0);
  passTime(context, 1);
  assert.equal(asked, 1);
  assert.equal(viewer.ready, true);
});

test('a viewer that has left is not waited for', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  send(1);
  stream.restart(viewer);
  stream.remove(viewer);
  passTime(context, 10_000);
  assert.equal(asked, 0);
  assert.equal(delivery.empty, false);
});

test('viewers that rejoin repeatedly cost the others one key frame a second', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const keyFrame = { keyFrame: true, data: Buffer.alloc(10) } as unknown as PumpedFrame;
  const join = () => {
    stream.add(viewer);
    stream.remove(viewer);
  };
  stream.onFrame(keyFrame);
  for (let count = 0; count < 8; count++) join();
  passTime(context, 60);
  assert.equal(asked, 1);
  stream.onFrame(keyFrame);
  join();
  stream.add(viewer);
  stream.restart(viewer);
  passTime(context, 900);
  assert.equal(asked, 1);
  passTime(context, 101);
  assert.equal(asked, 2);
});

test('a stream waits while the lines of all its viewers are full, and one viewer alone does not stop it', () => {
  send(1);
  delivery.acknowledged(1);
  const full = { ...viewer, ready: true, delivery: { lineIsFull: true, reset: () => undefined } };
  const free = { ...viewer, ready: true, delivery: { lineIsFull: false, reset: () => undefined } };
  stream.remove(viewer);
  stream.add(full as unknown as StreamViewer);
  assert.equal(stream.ready, false);
  stream.add(free as unknown as StreamViewer);
  assert.equal(stream.ready, true);
});

test('a full line is checked again until it takes frames, although no answer comes', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const line = { lineIsFull: true, line: new LineMeter(() => 0), reset: () => undefined };
  stream.remove(viewer);
  stream.add({ ...viewer, ready: true, delivery: line } as unknown as StreamViewer);
  stream.onFrame({ keyFrame: false, data: Buffer.alloc(10) } as unknown as PumpedFrame);
  for (let count = 1; count <= 3; count++) {
    passTime(context, 20);
    assert.equal(woken, count);
  }
  line.lineIsFull = false;
  passTime(context, 20);
  assert.equal(woken, 4);
  passTime(context, 10_000);
  assert.equal(woken, 4);
});

for (const [what, others, expected] of [
  ['is reported if another viewer has all frames', { needsKeyFrame: false }, { missed: 1, asked: 0 }],
  ['gets a key frame if the other viewers need one too', { needsKeyFrame: true }, { missed: 0, asked: 1 }],
] as const)
  test(`a viewer that missed a frame ${what}`, () => {
    const other = { ...viewer, delivery: { ...others, reset: () => undefined } };
    stream.add(other as unknown as StreamViewer);
    asked = 0;
    send(1);
    delivery.needsKeyFrame = true;
    stream.acknowledged(viewer, STREAM, 1);
    assert.deepEqual({ missed: missed.length, asked }, expected);
  });

test('a viewer that missed a frame and gets no other stream gets a key frame', () => {
  moves = false;
  const other = { ...viewer, delivery: { needsKeyFrame: false, reset: () => undefined } };
  stream.add(other as unknown as StreamViewer);
  asked = 0;
  send(1);
  delivery.needsKeyFrame = true;
  stream.acknowledged(viewer, STREAM, 1);
  assert.deepEqual([missed, asked], [[viewer], 1]);
});
