import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { JoinRate } from '../../../server/src/gateway/join-rate.js';
import { PacedTask } from '../../../server/src/platform/time/paced-task.js';
import { networkOf, RateLimiter } from '../../../server/src/platform/rates/rate-limiter.js';
import { TokenBucket } from '../../../server/src/platform/rates/token-bucket.js';
import { ManualClock } from '../../fakes/manual-clock.js';

let clock: ManualClock;
beforeEach(() => (clock = new ManualClock()));

/** Number of `count` attempts that succeed. */
const successes = (count: number, attempt: () => boolean) =>
  Array.from({ length: count }, attempt).filter(Boolean).length;

describe('a rate', () => {
  it('lets a burst pass, and after it no more than so many a second', () => {
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

  it('counts what costs more for more, and never lets more than a burst pass at once', () => {
    const bucket = new TokenBucket({ perSecond: 10, burst: 5 }, clock);
    assert.equal(bucket.take(4), true);
    assert.equal(bucket.take(4), false);
    assert.equal(bucket.wait(4), 300);
    assert.equal(bucket.wait(6), Infinity);
  });
});

describe('a task that is asked for too often', () => {
  it('is done once when its time has come, and not after its end', () => {
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

describe('the rate of many', () => {
  it('is counted for each apart', () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 2 }, clock);
    assert.deepEqual(
      [limiter.take('a'), limiter.take('a'), limiter.take('a'), limiter.take('b')],
      [true, true, false, true],
    );
    assert.deepEqual([limiter.wait('a'), limiter.wait('b'), limiter.wait('c')], [1_000, 0, 0]);
  });

  it('is not remembered of those who have done nothing for a while', () => {
    const limiter = new RateLimiter({ perSecond: 1, burst: 2 }, clock);
    for (let count = 0; count < 5_000; count++) {
      limiter.take(`${count}`);
      // Ten of them are not full again at any time.
      clock.advance(100);
      assert.ok(limiter.size <= 30, `${limiter.size}`);
    }
  });

  it('remembers who was too fast, although a hundred thousand others came', () => {
    const limiter = new RateLimiter({ perSecond: 0.001, burst: 1 }, clock);
    for (let count = 0; count < 100_000; count++) limiter.take(`${count}`);
    assert.equal(limiter.take('99999'), false);
    assert.equal(limiter.take('0'), true, 'who came first is forgotten');
  });

  it('takes a network of IPv6 for one', () => {
    assert.equal(networkOf('192.0.2.1'), '192.0.2.1');
    assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
    assert.equal(networkOf('2001:DB8::1'), '2001:db8:0:0::/64');
    assert.equal(networkOf('::1'), '0:0:0:0::/64');
    assert.equal(networkOf('fe80::'), 'fe80:0:0:0::/64');
  });
});

describe('joins of a session', () => {
  it('from one address are told when they are too many, and dropped when they go on', () => {
    const rate = new JoinRate(clock);
    const verdicts = Array.from({ length: 400 }, () => rate.verdict('s', '192.0.2.1'));
    const count = (wanted: string) => verdicts.filter((verdict) => verdict === wanted).length;
    assert.deepEqual([count('join'), count('refuse'), count('drop')], [150, 100, 150]);
    assert.equal(rate.verdict('s', '192.0.2.2'), 'join', 'others come in');
    assert.equal(rate.verdict('other', '192.0.2.1'), 'join', 'and into other sessions');
    clock.advance(1_000);
    assert.equal(rate.verdict('s', '192.0.2.1'), 'join');
  });
});
