import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, it } from 'node:test';
import { HELD_INTERVAL_MS } from 'cloud-browser/protocol';
import { IdleTimeout, SILENCE_TIMEOUTS_MS } from '../../../../server/src/host/room/viewers/idle-timeout.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

let clock: ManualClock;
let silence: IdleTimeout;
let told: number;
beforeEach(() => {
  clock = new ManualClock();
  told = 0;
  silence = new IdleTimeout(300, () => (told += 1), clock);
});
afterEach(() => silence.close());

async function pass(milliseconds: number): Promise<void> {
  clock.advance(milliseconds);
  await turn();
}

it('silence is reported once after the timeout', async () => {
  await pass(299);
  assert.equal(told, 0);
  await pass(1);
  await pass(10_000);
  assert.equal(told, 1);
});

it('the timeout starts at the last message', async () => {
  await pass(200);
  silence.heard();
  await pass(299);
  assert.equal(told, 0);
  await pass(1);
  assert.equal(told, 1);
});

it('silence is reported again after a later message', async () => {
  await pass(300);
  silence.heard();
  await pass(300);
  assert.equal(told, 2);
});

it('messages that arrived while the process was busy count before silence is reported', async () => {
  clock.advance(10_000);
  silence.heard();
  await turn();
  assert.equal(told, 0);
});

it('nothing is reported for viewers who left', async () => {
  clock.advance(300);
  silence.close();
  silence.heard();
  await pass(10_000);
  assert.equal(told, 0);
  assert.equal(clock.pending, 0);
});

it('keys are released without confirmations and before the display repeats them, and viewers are disconnected last', () => {
  const { unconfirmed, holding, gone } = SILENCE_TIMEOUTS_MS;
  const repeatDelay = 660;
  const ping = 2_000;
  assert.ok(2 * HELD_INTERVAL_MS < unconfirmed && unconfirmed < repeatDelay);
  assert.ok(ping < holding && holding < gone);
});
