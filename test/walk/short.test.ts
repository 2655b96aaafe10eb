import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { partOf } from '../../scripts/lib/test-plan.mjs';
import type { Mode } from './scene.js';
import { visitAll } from './neighbour.js';
import { tellOf } from './report.js';
import { BuiltService } from '../support/built-service.js';
import { HostileSite } from './site/hostile-site.js';
import { walk, type WalkPlan } from './walk.js';

/** A short walk of the difficult user. That of `npm test` is shorter still. */
const ACTS = partOf(process.env) === 'short' ? 8 : 40;
const WALKS: readonly [seed: number, mode: Mode, where: string][] = [
  [1, 'tabs', 'in tabs'],
  [2, 'kiosk', 'in a kiosk'],
];

let site: HostileSite;
let service: BuiltService;
before(async () => {
  site = await HostileSite.start();
  service = await BuiltService.start({ environment: { DRAIN_SECONDS: '0' } });
});
after(async () => {
  await service.stop();
  await site.close();
});

for (const [seed, mode, where] of WALKS)
  // Proves: a session works after any acts of its user and its pages
  test(`a session still works after ${ACTS} random actions of a difficult user ${where}`, async () => {
    const plan: WalkPlan = { seed, mode, acts: ACTS, rounds: 1 };
    const outcome = await walk(service, site, plan);
    assert.ok(outcome.broken.length === 0, tellOf(plan, outcome));
  });

// Proves: a session works after any acts of its user and its pages
test('a hostile site does not disturb the session of another user', async () => {
  assert.deepEqual(await visitAll(service, site), []);
});
