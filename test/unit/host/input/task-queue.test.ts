import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { InputWithoutSeq } from 'cloud-browser/protocol';
import { merged } from '../../../../server/src/host/input/merge-events.js';
import type { TaskLane } from '../../../../server/src/host/input/task-lane.js';
import type { InputDevices } from '../../../../server/src/host/input/input-devices.js';
import { TypingHold } from '../../../../server/src/host/input/keyboard/typing-hold.js';
import { TaskQueue } from '../../../../server/src/host/input/task-queue.js';
import { UserInput } from '../../../../server/src/host/input/user-input.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

let clock: ManualClock;
let queue: TaskQueue;
let done: string[];
beforeEach(() => {
  clock = new ManualClock();
  queue = new TaskQueue((error) => done.push(String(error)), clock);
  done = [];
});

const pushAll = (lane: TaskLane, name: string, count: number) =>
  Array.from({ length: count }, (_, index) => lane.push(() => void done.push(`${name}${index}`)));

/** Events that the queue accepts. A paste has its content. */
type Given = Exclude<InputWithoutSeq, { type: 'paste' }>;

describe('the input queue', () => {
  it("takes turns between users, so that no user waits for another user's backlog", async () => {
    const [many, few] = [queue.lane(), queue.lane()];
    // Blocks the queue until all have arrived.
    let go: () => void = () => undefined;
    queue.urge(() => new Promise((resolve) => (go = resolve)));
    pushAll(many, 'm', 5);
    pushAll(few, 'f', 2);
    go();
    await turn();
    assert.deepEqual(done, ['m0', 'f0', 'm1', 'f1', 'm2', 'm3', 'm4']);
  });

  it("limits the rate of one user's events to the display, and keeps the rest for later", async () => {
    const [fast, slow] = [queue.lane(), queue.lane()];
    pushAll(fast, 'a', 500);
    assert.equal(done.length, 100);
    pushAll(slow, 'b', 1);
    assert.equal(done.at(-1), 'b0');
    clock.advance(1_000);
    await turn();
    assert.equal(done.length, 201, 'a burst at most');
    for (let count = 0; count < 10; count++) {
      clock.advance(1_000);
      await turn();
    }
    assert.equal(done.length, 501);
    assert.equal(clock.pending, 0);
  });

  it('has a maximum length, except for required events', async () => {
    const lane = queue.lane();
    const taken = pushAll(lane, 'a', 5_000).filter(Boolean).length;
    assert.equal(taken, 100 + 1_024);
    lane.pushLast(() => void done.push('release'));
    for (let count = 0; count < 20; count++) {
      clock.advance(1_000);
      await turn();
    }
    assert.equal(done.at(-1), 'release');
  });

  it('runs urgent events first', () => {
    const lane = queue.lane();
    pushAll(lane, 'a', 200);
    queue.urge(() => void done.push('urgent'));
    assert.equal(done.at(-1), 'urgent');
    lane.clear();
    clock.advance(60_000);
    assert.equal(done.length, 101);
  });
});

describe('an event that follows a waiting one', () => {
  const as = (event: Given, seq: number) => ({ ...event, seq });
  const at = { x: 1, y: 2, modifiers: 0 };
  const touch = (phase: 'start' | 'move', ...ids: number[]) =>
    ({ type: 'touch', modifiers: 0, phase, points: ids.map((id) => ({ id, x: 1, y: 2 })) }) as const;
  const wheel = { type: 'wheel', ...at, deltaX: 0, deltaY: 120, notched: true } as const;

  it('replaces it if nothing is lost', () => {
    const pairs: [Given, Given][] = [
      [
        { type: 'move', ...at },
        { type: 'move', ...at, x: 9 },
      ],
      [touch('move', 1, 2), touch('move', 1, 2)],
      [
        { type: 'composition', modifiers: 0, text: 'a' },
        { type: 'composition', modifiers: 0, text: 'ab' },
      ],
      [
        { type: 'release', modifiers: 0 },
        { type: 'release', modifiers: 0 },
      ],
    ];
    for (const [one, other] of pairs) assert.deepEqual(merged(as(one, 1), as(other, 2)), as(other, 2));
  });

  it('is added to it for wheel turns', () => {
    assert.deepEqual(merged(as(wheel, 1), as({ ...wheel, deltaY: -20 }, 2)), {
      ...wheel,
      deltaY: 100,
      seq: 2,
    });
    const far = { ...wheel, deltaY: 4_000 };
    assert.equal((merged(as(far, 1), as(far, 2)) as typeof wheel).deltaY, 4_095);
    assert.equal(merged(as(wheel, 1), as({ ...wheel, notched: false }, 2)), undefined);
    assert.equal(merged(as(wheel, 1), as({ ...wheel, modifiers: 2 }, 2)), undefined);
  });

  it('waits behind it in other cases', () => {
    const key = {
      type: 'key',
      modifiers: 0,
      pressed: true,
      repeat: false,
      code: 'KeyA',
      key: 'a',
    } as const;
    const pairs: [Given, Given][] = [
      [key, key],
      [
        { type: 'text', modifiers: 0, text: 'a' },
        { type: 'text', modifiers: 0, text: 'b' },
      ],
      [
        { type: 'move', ...at },
        { type: 'button', ...at, button: 0, pressed: true },
      ],
      [
        { type: 'button', ...at, button: 0, pressed: true },
        { type: 'move', ...at },
      ],
      [touch('start', 1), touch('move', 1)],
      [touch('move', 1), touch('move', 1, 2)],
    ];
    for (const [one, other] of pairs) assert.equal(merged(as(one, 1), as(other, 2)), undefined);
  });

  it('is refused like it if too many events wait', () => {
    queue.urge(() => new Promise(() => undefined));
    const rights = { mayWrite: () => true, onRefused: () => undefined, hold: new TypingHold() };
    // No event is performed, so there is no other device.
    const user = new UserInput({ queue } as unknown as InputDevices, rights);
    const handle = (event: Given) => user.handle(as(event, 1), () => undefined);
    const press = { type: 'button', ...at, button: 0, pressed: true } as const;
    while (handle(press));
    assert.equal(handle({ type: 'move', ...at }), false);
    assert.equal(handle({ type: 'move', ...at, x: 9 }), false);
  });
});
