import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FloodGuard } from '../../../server/src/host/room/viewers/flood-guard.js';
import { NotConnectedError } from '../../../src/core/index.js';
import { PacedBox } from '../../../src/core/sizes/paced-box.js';
import { Remote } from '../../../src/core/calls/remote.js';
import { SizePace } from '../../../src/core/sizes/size-pace.js';
import type { Call } from '../../../src/protocol/index.js';
import { AutoResize } from '../../../src/viewer/controls/auto-resize.js';
import { ManualTimers } from '../../fakes/manual-timers.js';
import { Random } from '../../walk/random.js';

let timers: ManualTimers;
let pace: SizePace;
let remote: Remote;
let sent: { at: number; what: string }[];
/** Counts size changes as the session does. */
let guard: FloodGuard;
beforeEach(() => {
  Object.assign(globalThis, { devicePixelRatio: 1 });
  timers = new ManualTimers();
  guard = new FloodGuard(timers);
  pace = new SizePace(timers);
  remote = new Remote(timers, pace, () => undefined);
  sent = [];
  remote.open(answer);
});
afterEach(() => Reflect.deleteProperty(globalThis, 'devicePixelRatio'));

/** A session that answers each call at once. */
function answer({ id, method, args }: Call): void {
  assert.ok(method !== 'resize' || guard.takesSize(), `after ${timers.now()} ms`);
  sent.push({ at: timers.now(), what: args.join('x') });
  remote.received({ type: 'answer', id });
}

const box = (width: number, height = 500) =>
  pace.send('box', () => sent.push({ at: timers.now(), what: `box ${width}x${height}` }));
const whats = () => sent.map(({ what }) => what);

describe('a client that resizes with each pointer move', () => {
  it('sends the first size at once, then with growing delays, and always the last one', async () => {
    const calls: Promise<void>[] = [];
    for (let at = 0; at < 20_000; at += 16) {
      calls.push(remote.call('resize', [300 + at, 500]));
      timers.advance(16);
    }
    calls.push(remote.call('resize', [999, 500]));
    timers.advance(1_500);
    await Promise.all(calls);
    assert.equal(sent[0]?.at, 0);
    assert.equal(whats().at(-1), '999x500');
    assert.ok(sent.length <= 20, `${sent.length} messages`);
  });

  it('is fast again after a pause', () => {
    for (let count = 0; count < 500; count++) {
      box(300 + count);
      timers.advance(16);
    }
    timers.advance(12_000);
    const at = timers.now();
    box(1);
    assert.deepEqual(sent.at(-1), { at, what: 'box 1x500' });
  });

  it('sends boxes and calls in turn, the newest of each', () => {
    box(1);
    for (let count = 0; count < 5; count++) {
      void remote.call('resize', [600 + count, 500]);
      box(2 + count);
    }
    timers.advance(5_000);
    assert.deepEqual(whats(), ['box 1x500', '604x500', 'box 6x500']);
  });

  it('resolves waiting calls with the answer of the newest one', async () => {
    await remote.call('resize', [800, 600]);
    remote.open(({ id }) =>
      remote.received({ type: 'answer', id, error: { code: 'err_forbidden', message: 'no' } }),
    );
    const calls = [remote.call('resize', [1, 1]), remote.forward('resize', ['x'])];
    timers.advance(1_000);
    for (const call of calls) await assert.rejects(call, { code: 'err_forbidden' });
  });

  it('does not wait for a lost connection', async () => {
    await remote.call('resize', [800, 600]);
    const waits = remote.call('resize', [900, 600]);
    remote.close();
    await assert.rejects(waits, NotConnectedError);
    await assert.rejects(remote.call('resize', [700, 600]), NotConnectedError);
    pace.clear();
    timers.advance(10_000);
    assert.deepEqual([whats(), timers.pending], [['800x600'], 0]);
  });

  it('sends other calls at once', async () => {
    for (let count = 0; count < 5; count++) void remote.call('resize', [600 + count, 500]);
    await remote.call('tabs.query', [{}]);
    assert.equal(whats().at(-1), '[object Object]');
  });
});

describe('a client whose box appears and disappears', () => {
  let told: string[];
  let paced: PacedBox;
  beforeEach(() => {
    told = [];
    paced = new PacedBox(pace, (size) => told.push(size ? `${size.width}x${size.height}` : 'none'));
  });

  it('reports at once that it has no box, however often it resized before', () => {
    for (let count = 0; count < 5; count++) {
      paced.set({ width: 300 + count, height: 500 });
      timers.advance(1_500);
    }
    paced.set({ width: 800, height: 500 });
    paced.set({ width: 900, height: 500 });
    paced.set(null);
    assert.deepEqual(told.slice(-2), ['800x500', 'none']);
    timers.advance(10_000);
    assert.deepEqual([told.length, timers.pending], [7, 0]);
  });

  it('does not report a box that the session already has', () => {
    paced.opened({ width: 300, height: 500 });
    paced.set({ width: 301, height: 500 });
    paced.set({ width: 300, height: 500 });
    timers.advance(10_000);
    assert.deepEqual(told, []);
    paced.set(null);
    paced.set(null);
    assert.deepEqual(told, ['none']);
  });

  it('keeps a waiting call of `resize`', () => {
    void remote.call('resize', [600, 500]);
    void remote.call('resize', [601, 500]);
    paced.set({ width: 300, height: 500 });
    paced.set(null);
    timers.advance(1_000);
    assert.deepEqual([whats(), told], [['600x500', '601x500'], []]);
  });
});

describe('a page whose element has the size of its box', () => {
  /** Resizes of the element by a page: the time between changes and their number. */
  const USES: Record<string, (random: Random) => { changes: number; every: number; rest: number }> = {
    'a window that is dragged for 20 seconds': () => ({ changes: 1_250, every: 16, rest: 2_000 }),
    'a window that is dragged in pauses': () => ({ changes: 40, every: 600, rest: 1_000 }),
    'a keyboard that opens and closes': () => ({ changes: 2, every: 1_500, rest: 500 }),
    'a phone that is rotated': () => ({ changes: 1, every: 0, rest: 3_500 }),
    'an animation without an end, with pauses of half a second': () => ({
      changes: 30,
      every: 16,
      rest: 520,
    }),
    'random changes': (random) => ({
      changes: 1 + Math.floor(random.next() * 40),
      every: Math.floor(random.next() * 1_200),
      rest: Math.floor(random.next() * 2_500),
    }),
  };

  for (const [what, use] of Object.entries(USES))
    it(`is never disconnected for a flood: ${what}`, () => {
      const random = new Random(20_300_711);
      let last = '';
      const client = {
        setBox: (size: { width: number; height: number } | undefined) =>
          pace.send('box', () => {
            assert.ok(guard.takesSize(), `after ${timers.now()} ms`);
            last = `${size?.width}x${size?.height}`;
          }),
      };
      const resize = new AutoResize(client, timers);
      resize.on = true;
      let width = 0;
      while (timers.now() < 600_000) {
        const { changes, every, rest } = use(random);
        for (let count = 0; count < changes; count++) {
          width = 300 + Math.floor(random.next() * 1_000);
          const size = { width, height: 500 };
          resize.follow({ css: size, device: size });
          // A script of the page may resize as well.
          if (random.next() < 0.2) void remote.call('resize', [width, 500]);
          timers.advance(every);
        }
        timers.advance(rest);
      }
      timers.advance(10_000);
      assert.equal(last, `${width}x500`);
      resize.close();
    });
});
