import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MODES, type Mode } from './scene.js';
import { visitAll } from './neighbour.js';
import { tellOf } from './report.js';
import { BuiltService } from '../support/built-service.js';
import { HostileSite } from './site/hostile-site.js';
import { walk, type WalkPlan } from './walk.js';

/**
 * A difficult user on a difficult site. Without options: the short form, fixed seeds in both modes and the
 * whole site beside a neighbour.
 *
 * --seed N      walks with this seed alone
 * --minutes M   walks with one seed after the other for so long
 * --mode MODE   tabs or kiosk; both when it is left out
 * --acts N      acts of each walk, 60 when it is left out
 * --site        the whole hostile site in one session, beside a neighbour
 */
const OPTIONS = {
  seed: { type: 'string' },
  minutes: { type: 'string' },
  mode: { type: 'string' },
  acts: { type: 'string' },
  site: { type: 'boolean' },
} as const;

const SHORT: readonly WalkPlan[] = [
  { seed: 1, mode: 'tabs', acts: 40, rounds: 1 },
  { seed: 2, mode: 'kiosk', acts: 40, rounds: 1 },
];
/** Directory for pictures of the screen after a failure. */
const PICTURES = join('.build', 'walk');
const DEFAULT_ACTS = 60;
const MINUTE_MS = 60_000;

/** Reads the options of the command line. Throws RangeError for an invalid value. */
function optionsOf(args: string[]) {
  const { values } = parseArgs({ args, options: OPTIONS });
  const number = (name: 'seed' | 'minutes' | 'acts') => {
    const value = Number(values[name]);
    if (values[name] !== undefined && !(value >= 0)) throw new RangeError(`--${name} takes a number.`);
    return values[name] === undefined ? undefined : value;
  };
  const mode = MODES.find((each) => each === values.mode);
  if (values.mode !== undefined && !mode) throw new RangeError(`--mode is one of ${MODES.join(', ')}.`);
  const modes: readonly Mode[] = mode ? [mode] : MODES;
  return {
    seed: number('seed'),
    minutes: number('minutes'),
    acts: number('acts') ?? DEFAULT_ACTS,
    modes,
    site: values.site,
  };
}

/** The walks to run. With `minutes` the list is endless; the caller stops at the end of its time. */
function* plansOf({ seed, minutes, acts, modes }: ReturnType<typeof optionsOf>): Generator<WalkPlan> {
  if (seed === undefined && minutes === undefined) {
    yield* SHORT.filter(({ mode }) => modes.includes(mode));
    return;
  }
  const first = seed ?? Date.now() % 1_000_000;
  for (let next = first; ; next++) {
    for (const mode of modes) yield { seed: next, mode, acts, rounds: 1 };
    if (minutes === undefined) return;
  }
}

/** Resolves to the file that has the picture. */
async function keep({ seed, mode }: WalkPlan, picture: Buffer): Promise<string> {
  await mkdir(PICTURES, { recursive: true });
  const file = join(PICTURES, `${mode}-${seed}.png`);
  await writeFile(file, picture);
  return file;
}

const options = optionsOf(process.argv.slice(2));
const end = performance.now() + (options.minutes ?? Infinity) * MINUTE_MS;
const site = await HostileSite.start();
const service = await BuiltService.start({ environment: { DRAIN_SECONDS: '0' } });
let broken = 0;
try {
  for (const plan of options.site ? [] : plansOf(options)) {
    const outcome = await walk(service, site, plan);
    console.log(tellOf(plan, outcome));
    if (outcome.picture) console.log(`  the screen: ${await keep(plan, outcome.picture)}`);
    if (outcome.broken.length > 0) broken += 1;
    if (performance.now() > end) break;
  }
  if (options.site || (options.seed === undefined && options.minutes === undefined)) {
    const disturbances = await visitAll(service, site);
    console.log(`${disturbances.length === 0 ? 'ok' : 'broken'}: the hostile site beside a neighbour`);
    for (const { page, problem } of disturbances) console.log(`  ${page}: ${problem}`);
    broken += disturbances.length;
  }
} finally {
  await service.stop();
  await site.close();
}
console.log(`${broken} broken`);
if (broken > 0) process.exitCode = 1;
