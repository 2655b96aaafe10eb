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

test('a call after the end of the host is rejected at once', async () => {
  for (const started of [false, true]) {
    const clock = new ManualClock();
    const sent: unknown[] = [];
    const calls = new HostCalls(clock, (message) => sent.push(message));
    if (started) calls.started();
    calls.abandon();
    const late = calls.begin('tabs.query', []);
    const answered = Promise.race([late, Promise.resolve('no answer')]);
    await assert.rejects(answered, { code: 'err_session_terminated' });
    assert.deepEqual([clock.pending, sent], [0, []]);
  }
});

test('a program waits longer for actions than for files', async () => {
  const clock = new ManualClock();
  const calls = new HostCalls(clock, () => undefined);
  calls.started();
  const ticket = calls.begin('computer.ticket', []);
  const remove = calls.begin('computer.remove', []);
  const click = calls.begin('computer.click', []);
  clock.advance(10_000);
  for (const call of [ticket, remove]) await assert.rejects(call, { code: 'err_call_timeout' });
  clock.advance(650_000);
  await assert.rejects(click, { code: 'err_call_timeout' });
});

test('the host learns that the client of a call has gone, but only while the call is open', async () => {
  const sent: unknown[] = [];
  const calls = new HostCalls(new ManualClock(), (message) => sent.push(message));
  const client = new AbortController();
  const open = calls.begin('computer.click', [], {}, client.signal);
  const answered = calls.begin('computer.key', [], {}, client.signal);
  calls.settle({ type: 'called', call: 2, result: null });
  await answered;
  sent.length = 0;
  client.abort();
  assert.deepEqual(sent, [{ type: 'abandon', call: 1 }]);
  const late = calls.begin('computer.click', [], {}, client.signal);
  await assert.rejects(late, { code: 'err_call_failed', message: /has closed its connection/ });
  assert.equal(sent.length, 1);
  calls.abandon();
  await assert.rejects(open);
});

test('the host does not perform a call later that has failed because of its time limit', async () => {
  const clock = new ManualClock();
  const sent: unknown[] = [];
  const calls = new HostCalls(clock, (message) => sent.push(message));
  calls.started();
  const call = calls.begin('tabs.create', []);
  sent.length = 0;
  clock.advance(10_000);
  await assert.rejects(call, { code: 'err_call_timeout' });
  assert.deepEqual(sent, [{ type: 'abandon', call: 1 }]);
});
