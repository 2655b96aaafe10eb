import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { nextAct } from '../../walk/acts.js';
import { DeadlineError, until, within } from '../../walk/deadline.js';
import { Random } from '../../walk/random.js';
import { tellOf } from '../../walk/report.js';
import { MODES, type Mode } from '../../walk/scene.js';
import { HostileSite } from '../../walk/site/hostile-site.js';

let site: HostileSite;
before(async () => (site = await HostileSite.start()));
after(() => site.close());

function acts(seed: number, mode: Mode): string[] {
  const random = new Random(seed);
  return Array.from({ length: 200 }, () => nextAct(random, site, mode).told);
}

describe('a random walk', () => {
  for (const mode of MODES) {
    it(`repeats its acts for the same seed, and differs for another one, in ${mode}`, () => {
      assert.deepEqual(acts(7, mode), acts(7, mode));
      assert.notDeepEqual(acts(7, mode), acts(8, mode));
    });
  }

  it('never opens a second tab in a kiosk', () => {
    assert.equal(
      acts(3, 'kiosk').some((act) => act.endsWith('tabs.create')),
      false,
    );
  });
});

describe('a random walk that failed', () => {
  it('is reported with its seed, a command to repeat it, and the last acts', () => {
    const plan = { seed: 7, mode: 'kiosk', acts: 40, rounds: 1 } as const;
    const broken = [{ invariant: 'the session runs', problem: 'The session is over.' }];
    const told = tellOf(plan, {
      acts: 40,
      broken,
      crashes: 2,
      lastActs: ['39. presses KeyA', '40. presses F11'],
    });
    for (const part of [
      'walk 7 in a kiosk, 40 acts, 2 crashes of Chromium',
      'the session runs: The session is over.',
      '--seed 7 --mode kiosk --acts 40',
      '39. presses KeyA',
      '40. presses F11',
    ])
      assert.ok(told.includes(part), told);
    assert.equal(
      tellOf(plan, { acts: 40, broken: [], crashes: 0, lastActs: [] }),
      'ok: walk 7 in a kiosk, 40 acts',
    );
  });
});

describe('the hostile site', () => {
  it('serves each of its pages', async () => {
    for (const name of site.names) {
      const { status, headers } = await fetch(site.address(name));
      assert.equal(status, name === 'protected' ? 401 : 200, name);
      assert.ok(name === 'protected' || headers.get('content-type')?.startsWith('text/html'), name);
    }
  });

  it('counts only the reports of its own probe', async () => {
    const probe = site.probe();
    const { pathname, search } = new URL(probe.url);
    const page = pathname + search;
    for (const event of ['loaded', 'clicked']) {
      const body = JSON.stringify({ page, event, width: 1280, height: 720 });
      await fetch(site.address('report'), { method: 'POST', body });
    }
    await fetch(site.address('report'), {
      method: 'POST',
      body: JSON.stringify({ page: '/', event: 'clicked' }),
    });
    assert.deepEqual([probe.loads, probe.clicks, probe.width, probe.height], [1, 1, 1280, 720]);
  });

  it('has no links out of its pages', async () => {
    for (const path of ['..%2fhostile-site', 'pages', 'probe.html', 'x']) {
      assert.equal((await fetch(site.address(path))).status, 404, path);
    }
  });
});

describe('a deadline', () => {
  it('ends a wait without a result', async () => {
    const never = new Promise<never>(() => undefined);
    await assert.rejects(within('it comes', 5, never), DeadlineError);
    await assert.rejects(
      until('it comes', 5, () => never),
      DeadlineError,
    );
    await assert.rejects(
      until('it is so', 5, () => false),
      DeadlineError,
    );
  });

  it('returns a result that arrives in time', async () => {
    assert.equal(await until('it comes', 1_000, () => Promise.resolve('it')), 'it');
  });
});
