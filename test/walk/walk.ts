import { nextAct } from './acts.js';
import type { Mode, Scene } from './scene.js';
import { pause, within } from './deadline.js';
import { displaysBelow, pictureOf, type DisplayPlace } from './display.js';
import { invariants, isCrash, settle } from './invariants.js';
import { Person } from './person.js';
import { Random } from './random.js';
import type { BuiltService } from '../support/built-service.js';
import type { HostileSite } from './site/hostile-site.js';

/** The parameters of one walk. */
export interface WalkPlan {
  seed: number;
  mode: Mode;
  /** The number of acts between two checks of the invariants. */
  acts: number;
  /** Rounds of acts in the same session; a walk ends after the first one in which something broke. */
  rounds: number;
}

/** Outcome of a walk. */
export interface WalkOutcome {
  /** All acts that were done. */
  acts: number;
  /** The invariants that did not hold, by name; empty after a good walk. */
  broken: { invariant: string; problem: string }[];
  /** Number of crashes of Chromium itself, each followed by a restart. */
  crashes: number;
  /** A PNG of the screen on which something broke. */
  picture?: Buffer | undefined;
  /** The last acts, oldest first. */
  lastActs: string[];
}

/** Longest time between two acts, in milliseconds. */
const LONGEST_PAUSE_MS = 150;
/** The walk does not wait longer than this for an act. */
const ACT_LIMIT_MS = 15_000;
const PICTURE_LIMIT_MS = 5_000;
const REMEMBERED_ACTS = 25;

/** Walks through one session as a difficult user does, and looks whether it still works. */
export async function walk(service: BuiltService, site: HostileSite, plan: WalkPlan): Promise<WalkOutcome> {
  const random = new Random(plan.seed);
  const known = new Set(displaysBelow(service.directory).map(({ authorityFile }) => authorityFile));
  const kiosk = plan.mode === 'kiosk';
  const session = await service.create({ start_url: site.home, kiosk, width: 1280, height: 720, fps: 30 });
  const outcome: WalkOutcome = { acts: 0, broken: [], crashes: 0, lastActs: [] };
  const person = await Person.join(session);
  const scene: Scene = { session, mode: plan.mode, site, person, guest: undefined };
  try {
    const display = displaysBelow(service.directory).find(({ authorityFile }) => !known.has(authorityFile));
    if (!display) throw new Error('The session has no display.');
    for (let round = 0; round < plan.rounds && outcome.broken.length === 0; round++) {
      const logged = service.log.length;
      for (let count = 0; count < plan.acts; count++) await actOnce(scene, random, outcome);
      const settling = service.log.length;
      outcome.broken = await findBroken(scene, service, display, logged);
      // A browser that was just restarted has lost the requested page.
      if (outcome.broken.length > 0 && service.log.slice(settling).some(isCrash))
        outcome.broken = await findBroken(scene, service, display, logged);
      if (outcome.broken.length > 0)
        outcome.picture = await within('the display answers', PICTURE_LIMIT_MS, pictureOf(display)).catch(
          () => undefined,
        );
      outcome.crashes += service.log.slice(logged).filter(isCrash).length;
    }
  } finally {
    scene.guest?.leave();
    person.leave();
    await service.end(session).catch(() => undefined);
  }
  return outcome;
}

async function actOnce(scene: Scene, random: Random, outcome: WalkOutcome): Promise<void> {
  const { told, perform } = nextAct(random, scene.site, scene.mode);
  const wait = random.below(LONGEST_PAUSE_MS);
  outcome.lastActs = [...outcome.lastActs, `${++outcome.acts}. ${told}`].slice(-REMEMBERED_ACTS);
  // A failed act is no failure of the walk: a person goes on, and the invariants show what broke.
  await within(told, ACT_LIMIT_MS, perform(scene)).catch(() => undefined);
  await pause(wait);
}

async function findBroken(
  scene: Scene,
  service: BuiltService,
  display: DisplayPlace,
  logged: number,
): Promise<WalkOutcome['broken']> {
  const broken: WalkOutcome['broken'] = [];
  const report = (invariant: string) => (error: unknown) => {
    broken.push({ invariant, problem: error instanceof Error ? error.message : String(error) });
  };
  const probe = await settle(scene, display).catch(report('the session can be put in order'));
  if (!probe) return broken;
  for (const { name, check } of invariants(scene, probe, service, display, logged))
    await check().catch(report(name));
  return broken;
}
