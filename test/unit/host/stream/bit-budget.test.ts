import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BitBudget } from '../../../../server/src/host/stream/bit-budget.js';
import { bitRate, QUALITIES, quantiserOf } from '../../../../server/src/host/encode/quality.js';

const RATE = 8_000_000;

/** A budget of 8 Mbit/s, hence a megabyte a second, and its clock. */
function budgetAt(): { budget: BitBudget; clock: { now: number } } {
  const clock = { now: 0 };
  return { budget: new BitBudget(RATE, () => clock.now), clock };
}

test('a burst after a rest is sent at once', () => {
  const { budget } = budgetAt();
  budget.spend(400_000);
  assert.deepEqual([budget.strain, budget.wait], [0, 0]);
  budget.spend(600_000);
  assert.deepEqual([budget.strain, budget.wait], [1, 0]);
});

test('data beyond a burst has to wait', () => {
  const { budget, clock } = budgetAt();
  budget.spend(1_250_000);
  assert.equal(budget.wait, 250);
  clock.now += 100;
  assert.equal(Math.round(budget.wait), 150);
  clock.now += 150;
  assert.equal(Math.round(budget.wait), 0);
});

test('the strain grows while more is sent than the rate allows, and falls during a pause', () => {
  const { budget, clock } = budgetAt();
  budget.spend(750_000);
  assert.equal(budget.strain, 0.5);
  clock.now += 250;
  assert.equal(budget.strain, 0);
});

// Proves: quality.mode: bit rates
test('over any longer time at most the rate and one burst are sent', () => {
  const { budget, clock } = budgetAt();
  let sent = 0;
  for (; clock.now < 60_000; clock.now += 1000 / 60) {
    if (budget.wait > 0) continue;
    budget.spend(90_000);
    sent += 90_000 * 8;
  }
  assert.ok(sent <= RATE * 60 + RATE + 90_000 * 8, `${sent / 61e6} Mbit/s`);
  assert.ok(sent >= RATE * 59, 'what may be sent is sent');
});

test('the documented bit rates are the limits', () => {
  const rate = (mode: 'sharp' | 'smooth', width: number, height: number) =>
    bitRate(QUALITIES[mode], 'video', { width, height, fps: 30 }) / 1e6;
  assert.equal(rate('smooth', 1280, 720).toFixed(1), '6.3');
  assert.equal(rate('smooth', 1920, 1080).toFixed(1), '14.1');
  assert.equal((rate('sharp', 1280, 720) / rate('smooth', 1280, 720)).toFixed(1), '3.0');
});

test('no mode reserves bits for frames that it never sends', () => {
  const rate = (fps: number) => bitRate(QUALITIES.blocky, 'video', { width: 1280, height: 720, fps });
  assert.equal(rate(60), rate(24));
});

test('a strained picture is coarser during movement, and as sharp as before at rest', () => {
  const { video } = QUALITIES.smooth;
  assert.equal(quantiserOf(video, 0, 0), video.moving);
  assert.equal(quantiserOf(video, 0, 1), video.max);
  assert.equal(quantiserOf(video, 1, 1), video.still);
});

test('when bits are scarce, frames are limited so that 14 of them fit into a second', () => {
  let now = 0;
  const budget = new BitBudget(1_120_000, () => now);
  assert.equal(budget.frameBytes, Infinity);
  budget.spend(100_000);
  assert.equal(budget.frameBytes, 10_000);
  now += 1_000;
  assert.equal(budget.frameBytes, Infinity);
});
