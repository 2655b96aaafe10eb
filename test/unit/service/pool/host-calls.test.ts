import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HostCalls } from '../../../../server/src/pool/host/host-calls.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

test('the time limit of a call before the session has started begins at the start', async () => {
  const clock = new ManualClock();
  const calls = new HostCalls(clock, () => undefined);
  const early = calls.begin('tabs.query', []);
  clock.advance(30_000);
  assert.equal(clock.pending, 0);
  calls.started();
  clock.advance(9_999);
  const later = calls.begin('users.list', []);
  clock.advance(1);
  await assert.rejects(early, { code: 'err_call_timeout' });
  clock.advance(9_999);
  await assert.rejects(later, { code: 'err_call_timeout' });
});

test('a call to a session that never starts is rejected when its host has ended', async () => {
  const calls = new HostCalls(new ManualClock(), () => undefined);
  const early = calls.begin('tabs.query', []);
  calls.abandon();
  await assert.rejects(early, { code: 'err_session_terminated' });
});
