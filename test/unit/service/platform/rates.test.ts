import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { JoinRate } from '../../../../server/src/gateway/join-rate.js';
import { PacedTask } from '../../../../server/src/platform/time/paced-task.js';
import { networkOf, RateLimiter } from '../../../../server/src/platform/rates/rate-limiter.js';
import { TokenBucket } from '../../../../server/src/platform/rates/token-bucket.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

let clock: ManualClock;
beforeEach(() => (clock = new ManualClock()));

/** Number of `count` attempts that succeed. */
const successes = (count: number, attempt: () => boolean) =>
  Array.from({ length: count }, attempt).filter(Boolean).length;

describe('a rate limit', () => {
  it('allows a burst, and then a number of events per second', () => {
    const bucket = new TokenBucket({ perSecond: 10, burst: 5 }, clock);
    assert.equal(
      successes(20, () => bucket.take()),
      5,
    );
    assert.equal(bucket.wait(), 100);
    clock.advance(250);
    assert.equal(
      successes(20, () => bucket.take()),
      2,
    );
    clock.advance(60_000);
    assert.equal(
      successes(20, () => bucket.take()),
      5,
    );
  });

  it('counts expensive events with their cost, and never allows more than a burst at once', () => {
    const bucket = new TokenBucket({ perSecond: 10, burst: 5 }, clock);
    assert.equal(bucket.take(4), true);
    assert.equal(bucket.take(4), false);
    assert.equal(bucket.wait(4), 300);
    assert.equal(bucket.wait(6), Infinity);
  });
});

describe('a throttled task', () => {
  it('runs once when it is due, and not after it was closed', () => {
    let done = 0;
    const task = new PacedTask(() => (done += 1), { perSecond: 1, burst: 2 }, clock);
    for (let count = 0; count < 50; count++) task.ask();
    assert.equal(done, 2);
    clock.advance(1_000);
    assert.equal(done, 3);
    clock.advance(10_000);
    assert.equal(done, 3);
    for (let count = 0; count < 50; count++) task.ask();
    task.close();
    clock.advance(10_000);
    assert.equal(done, 5);
    assert.equal(clock.pending, 0);
  });
});

describe('a rate limit for many keys', () => {
  it('counts each key separately', () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 2 }, clock);
    assert.deepEqual(
      [limiter.take('a'), limiter.take('a'), limiter.take('a'), limiter.take('b')],
      [true, true, false, true],
    );
    assert.deepEqual([limiter.wait('a'), limiter.wait('b'), limiter.wait('c')], [1_000, 0, 0]);
  });

  it('forgets idle keys after a while', () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 2 }, clock);
    for (let count = 0; count < 5_000; count++) {
      limiter.take(`${count}`);
      // At any time, about ten keys are below their full burst.
      clock.advance(100);
      assert.ok(limiter.size <= 30, `${limiter.size}`);
    }
  });

  it('remembers a key that was too fast after a hundred thousand other keys', () => {
    const limiter = new RateLimiter({ perSecond: 0.001, burst: 1 }, clock);
    for (let count = 0; count < 100_000; count++) limiter.take(`${count}`);
    assert.equal(limiter.take('99999'), false);
    assert.equal(limiter.take('0'), true, 'who came first is forgotten');
  });

  it('treats an IPv6 network as one key', () => {
    assert.equal(networkOf('192.0.2.1'), '192.0.2.1');
    assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
    assert.equal(networkOf('2001:DB8::1'), '2001:db8:0:0::/64');
    assert.equal(networkOf('::1'), '0:0:0:0::/64');
    assert.equal(networkOf('fe80::'), 'fe80:0:0:0::/64');
  });
});

describe('the joins of a session', () => {
  it('from one address are refused when they are too many, and then ignored', () => {
    const rate = new JoinRate(clock);
    const verdicts = Array.from({ length: 400 }, () => rate.verdict('s', '192.0.2.1', 'viewer'));
    const count = (wanted: string) => verdicts.filter((verdict) => verdict === wanted).length;
    assert.deepEqual([count('join'), count('refuse'), count('drop')], [150, 100, 150]);
    assert.equal(rate.verdict('s', '192.0.2.2', 'viewer'), 'join', 'others come in');
    assert.equal(rate.verdict('other', '192.0.2.1', 'viewer'), 'join', 'and into other sessions');
    assert.equal(rate.verdict('s', '192.0.2.1', 'program'), 'join', 'programs are counted separately');
    clock.advance(1_000);
    assert.equal(rate.verdict('s', '192.0.2.1', 'viewer'), 'join');
  });
});
