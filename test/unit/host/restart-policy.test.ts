import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RestartPolicy } from '../../../server/src/host/restart-policy.js';
import { ManualClock } from '../../fakes/manual-clock.js';

it('a browser is started again three times within a minute, not four', () => {
  const clock = new ManualClock();
  const policy = new RestartPolicy(clock);
  const ends = Array.from({ length: 4 }, () => {
    clock.advance(10_000);
    return policy.mayRestart();
  });
  assert.deepEqual(ends, [true, true, true, false]);
});

it('a browser that ends now and then is always started again', () => {
  const clock = new ManualClock();
  const policy = new RestartPolicy(clock);
  for (let end = 0; end < 20; end++) {
    clock.advance(20_000);
    assert.equal(policy.mayRestart(), true);
  }
});
