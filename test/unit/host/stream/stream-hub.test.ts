import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { BitBudget } from '../../../../server/src/host/stream/bit-budget.js';
import { Delivery } from '../../../../server/src/host/stream/delivery.js';
import { StreamHub } from '../../../../server/src/host/stream/stream-hub.js';
import type { StreamViewer } from '../../../../server/src/host/stream/video-stream.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { PatternSource } from '../../../fakes/pattern-source.js';
import { FakeEncoder, settle } from '../../../fakes/pumped-frames.js';

let source: PatternSource;
let hub: StreamHub;
let encoders: FakeEncoder[];

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  source = new PatternSource(64, 48);
  encoders = [];
  const budget = () => new BitBudget(1_000_000_000, () => 0);
  hub = new StreamHub(
    () => {
      encoders.push(new FakeEncoder());
      return { encoder: encoders.at(-1)!, budget: budget() };
    },
    (error) => assert.fail(String(error)),
  );
  hub.show(source);
});

afterEach(() => {
  hub.close();
  mock.timers.reset();
});

/** A viewer that takes every frame, and the frames that it got: their streams and numbers. */
function join(): { viewer: StreamViewer; frames: { stream: number; number: number }[] } {
  const delivery = new Delivery(() => 0);
  const frames: { stream: number; number: number }[] = [];
  const viewer: StreamViewer = {
    ...{ media: 'h264', delivery, ready: true, markCapture: () => undefined, send: () => undefined },
    sendFrame: (_kind, stream, { number }) => {
      delivery.needsKeyFrame = false;
      frames.push({ stream, number });
    },
  };
  hub.add(viewer);
  return { viewer, frames };
}

/** A frame was missed, and the viewer has acknowledged the last one before it. */
function miss({ viewer, frames }: ReturnType<typeof join>): void {
  const { stream = 0, number = 0 } = frames.at(-1) ?? {};
  viewer.delivery.needsKeyFrame = true;
  hub.acknowledged(viewer, stream, number);
}

test('a viewer that misses frames again gets another stream, and the others keep theirs', async () => {
  const [late, other] = [join(), join()];
  await settle();
  const first = late.frames.at(-1)?.stream;
  assert.equal(other.frames.at(-1)?.stream, first);

  miss(late);
  assert.equal(late.viewer.delivery.needsKeyFrame, true);
  mock.timers.tick(1_000);
  await settle();
  assert.equal(late.frames.at(-1)?.stream, first, 'it gets a key frame the first time');

  miss(late);
  source.damage();
  await settle();
  assert.notEqual(late.frames.at(-1)?.stream, first);
  assert.equal(other.frames.at(-1)?.stream, first);

  const before = other.frames.length;
  hub.remove(late.viewer);
  source.damage();
  await settle();
  assert.equal(other.frames.length, before + 1);
  assert.deepEqual(
    encoders.map(({ closed }) => closed),
    [false, true],
    'the encoder of the late viewer is closed',
  );
});

test('the encoder of a display that ends during a read is closed, and the next display gets another', async () => {
  source.read = () => new Promise(() => undefined);
  const { frames } = join();
  await settle();
  hub.show(new PatternSource(64, 48));
  await settle();
  assert.deepEqual(
    encoders.map(({ closed }) => closed),
    [true, false],
  );
  assert.equal(frames.length, 1);
});

test('a hub that cannot replace a failed encoder reports it', async () => {
  hub.close();
  const failures: unknown[] = [];
  const made: FakeEncoder[] = [];
  hub = new StreamHub(
    () => {
      if (made.length > 0) throw new Error('no memory');
      made.push(Object.assign(new FakeEncoder(), { fail: true }));
      return { encoder: made[0]!, budget: new BitBudget(1_000_000_000, () => 0) };
    },
    (error) => failures.push(error),
  );
  hub.show(source);
  join();
  await settle();
  assert.deepEqual(failures.map(String), ['Error: no memory']);
  assert.equal(made[0]?.closed, true);
});

test('a hub reports encoders that fail often within a minute, but not encoders that fail rarely', async () => {
  hub.close();
  const failures: unknown[] = [];
  const clock = new ManualClock();
  hub = new StreamHub(
    () => {
      encoders.push(new FakeEncoder());
      return { encoder: encoders.at(-1)!, budget: new BitBudget(1_000_000_000, () => 0) };
    },
    (error) => failures.push(error),
    clock,
  );
  hub.show(source);
  join();
  const fail = async () => {
    await settle();
    Object.assign(encoders.at(-1)!, { fail: true });
    source.damage();
    await settle();
  };
  for (let failure = 0; failure < 10; failure++) {
    await fail();
    clock.advance(60_000);
  }
  assert.deepEqual(failures, []);
  for (let failure = 0; failure < 5; failure++) await fail();
  assert.deepEqual(failures, []);
  await fail();
  assert.deepEqual(failures.map(String), ['Error: broken']);
});
