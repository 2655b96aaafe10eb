import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { Gate } from '../../../../server/browser-extensions/focus/gate.js';

const LEASE_MS = 5_000;

let now: number;
let gate: Gate;
let throughs: (() => void)[];
beforeEach(() => {
  now = 1_000;
  throughs = [];
  mock.method(performance, 'now', () => now);
  gate = new Gate((then) => throughs.push(then));
});

afterEach(() => mock.restoreAll());

/** Opens the gate for ten milliseconds. */
function openOnce(): void {
  gate.open(LEASE_MS);
  now += 10;
  gate.close();
}

const lets = (type: string, timeStamp = now) => gate.lets({ type, timeStamp });

describe('the gate of masked fields', () => {
  it('is closed before it is opened, and after its lease', () => {
    assert.equal(lets('keydown'), false);
    gate.open(LEASE_MS);
    assert.equal(lets('keydown'), true);
    now += LEASE_MS + 1;
    assert.equal(lets('keydown'), false);
  });

  it('accepts late input from an open period, with its consequences', () => {
    openOnce();
    now += 20;
    assert.deepEqual([lets('keydown', 1_005), lets('beforeinput'), lets('input')], [true, true, true]);
  });

  it('accepts late input from the previous open period', () => {
    openOnce();
    now += 10;
    openOnce();
    assert.equal(lets('keydown', 1_005), true);
    assert.equal(lets('keydown', 1_015), false, 'done while it was closed');
  });

  it('refuses late input from before it was opened', () => {
    openOnce();
    assert.equal(lets('keydown', 990), false);
    gate.open(LEASE_MS);
    assert.equal(lets('keydown', 1_015 - 10), true);
    assert.equal(lets('keydown', 990), false);
  });

  it('refuses input from the moment it was closed, even with a clock that rounds down', () => {
    openOnce();
    assert.equal(lets('keydown', now - 0.9), false);
  });

  it('refuses consequences of other input than the late one', () => {
    openOnce();
    lets('keydown', 1_005);
    throughs.forEach((through) => through());
    assert.equal(lets('beforeinput'), false, 'the late event is through');
    lets('keydown', 1_005);
    assert.equal(lets('keydown'), false);
    assert.equal(lets('beforeinput'), false, 'an event came that is refused');
    lets('keydown', 1_005);
    gate.rest();
    assert.equal(lets('beforeinput'), false, 'the host has asked since');
  });

  it('remembers a limited number of periods', () => {
    openOnce();
    for (let time = 0; time < 100; time++) {
      now += 10;
      openOnce();
    }
    assert.equal(lets('keydown', 1_005), false);
  });
});
