import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { partOf } from '../../scripts/lib/test-plan.mjs';
import type { Mode } from './scene.js';
import { visitAll } from './neighbour.js';
import { tellOf } from './report.js';
import { BuiltService } from '../support/built-service.js';
import { HostileSite } from './site/hostile-site.js';
import { walk, type WalkPlan } from './walk.js';

/** `npm test` has one walk, and a short one. */
const IS_SHORT = partOf(process.env) === 'short';
const ACTS = IS_SHORT ? 8 : 40;
const IN_TABS = [1, 'tabs', 'in tabs'] as const;
const IN_KIOSK = [2, 'kiosk', 'in a kiosk'] as const;
const WALKS: readonly (readonly [seed: number, mode: Mode, where: string])[] = IS_SHORT
  ? [IN_TABS]
  : [IN_TABS, IN_KIOSK];

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

if (!IS_SHORT)
  // Proves: a session works after any acts of its user and its pages
  test('a hostile site does not disturb the session of another user', async () => {
    assert.deepEqual(await visitAll(service, site), []);
  });
