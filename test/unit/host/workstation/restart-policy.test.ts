import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import { RestartPolicy } from '../../../../server/src/host/restart-policy.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

let clock: ManualClock;
let policy: RestartPolicy;
beforeEach(() => {
  clock = new ManualClock();
  policy = new RestartPolicy(clock);
});

it('a browser that crashes is restarted three times within a minute, but not four', () => {
  const restarts = Array.from({ length: 4 }, () => {
    clock.advance(10_000);
    return policy.crashed();
  });
  assert.deepEqual(restarts, ['as-at-first', 'as-at-first', 'as-at-first', 'never']);
});

it('a browser that crashes every 24 seconds is not restarted for ever', () => {
  const restarts = Array.from({ length: 9 }, () => {
    clock.advance(24_000);
    return policy.crashed();
  });
  assert.deepEqual(restarts, [...Array<string>(8).fill('as-at-first'), 'never']);
});

it('a browser that hangs twice in a short time gets an empty page', () => {
  const hangs = [policy.crashed(true)];
  clock.advance(100_000);
  hangs.push(policy.crashed(true));
  clock.advance(100_000);
  assert.deepEqual([policy.crashed(), ...hangs], ['as-at-first', 'as-at-first', 'with-blank-page']);
  clock.advance(100_000);
  assert.equal(policy.crashed(true), 'as-at-first', 'the last hang was long ago');
});

it('a browser that hangs with an empty page too is not restarted for ever', () => {
  const restarts = Array.from({ length: 9 }, () => {
    clock.advance(24_000);
    return policy.crashed(true);
  });
  assert.deepEqual(restarts, ['as-at-first', ...Array<string>(7).fill('with-blank-page'), 'never']);
});

it('a browser that crashes rarely is always restarted', () => {
  for (let end = 0; end < 20; end++) {
    clock.advance(80_000);
    assert.equal(policy.crashed(), 'as-at-first');
  }
});

it('a browser that a user closes is always restarted with its tabs, and counts as no crash', () => {
  for (let end = 0; end < 20; end++) {
    clock.advance(60_000);
    assert.equal(policy.closed(), 'with-tabs');
  }
  assert.equal(policy.crashed(), 'as-at-first');
});

it('a browser that closes repeatedly is restarted without the page that may be the cause', () => {
  const restarts = Array.from({ length: 10 }, () => policy.closed());
  assert.deepEqual(restarts, ['with-tabs', ...Array<string>(9).fill('with-start-page')]);
  assert.equal(policy.crashed(), 'as-at-first');
});
