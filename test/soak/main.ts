import { parseArgs } from 'node:util';
import { pause } from '../walk/deadline.js';
import { Churn } from './churn.js';
import type { Measures } from './fake-service-protocol.js';
import { RealChurn } from './real.js';
import { compareCounts, printReport, type MemorySample } from './report.js';

/**
 * Sessions that come and go: afterwards all is as it was before, and memory does not grow.
 *
 * --sessions N sessions on hosts that run nothing, 500 when it is left out; 0: none --real N real sessions,
 * 40 when it is left out; 0: none --minutes M how long each of them takes at least: slow growth shows only
 * over time. When it is left out: 10 for the former
 */
const OPTIONS = {
  sessions: { type: 'string' },
  real: { type: 'string' },
  minutes: { type: 'string' },
} as const;
const DEFAULTS = { sessions: 500, real: 40, minutes: 10 };
const MINUTE_MS = 60_000;
/** Sessions before the baseline: code is compiled and caches are filled by then. */
const WARM_UP = { fakes: 300, real: 20 };
/** Sessions between two samples. */
const ROUND = { fakes: 20, real: 4 };

/** The service of a soak and its sessions. */
interface Churning {
  run(sessions: number): Promise<void>;
  measure(): Promise<Measures>;
}

const { values } = parseArgs({ options: OPTIONS });
const option = (name: keyof typeof OPTIONS) => {
  const value = values[name] === undefined ? DEFAULTS[name] : Number(values[name]);
  if (!(value >= 0)) throw new RangeError(`--${name} takes a number.`);
  return value;
};
const [sessions, real, minutes] = [option('sessions'), option('real'), option('minutes')];

let bad = 0;
if (sessions > 0) {
  const churn = await Churn.start();
  const title = `${sessions} sessions on hosts that run nothing, in ${minutes} minutes`;
  bad += await soak(title, churn, sessions, WARM_UP.fakes, ROUND.fakes, minutes * MINUTE_MS).finally(() =>
    churn.stop(),
  );
}
if (real > 0) {
  const churn = await RealChurn.start();
  const spread = values.minutes === undefined ? 0 : minutes * MINUTE_MS;
  const title = `${real} real sessions${spread ? `, in ${minutes} minutes` : ''}`;
  bad += await soak(title, churn, real, WARM_UP.real, ROUND.real, spread).finally(() => churn.stop());
}
if (bad > 0) process.exitCode = 1;

/** Runs so many sessions, spread over a time, and compares with a baseline from behind the warm-up. */
async function soak(
  title: string,
  churn: Churning,
  count: number,
  warmUp: number,
  round: number,
  milliseconds: number,
): Promise<number> {
  await churn.run(warmUp);
  const baseline = await churn.measure();
  const began = performance.now();
  const memory: MemorySample[] = [{ ...baseline, at: began, sessions: 0 }];
  let last = baseline;
  for (let done = 0; done < count;) {
    const next = Math.min(round, count - done);
    await churn.run(next);
    done += next;
    const early = began + (done / count) * milliseconds - performance.now();
    if (early > 0) await pause(early);
    last = await churn.measure();
    memory.push({ ...last, at: performance.now(), sessions: done });
  }
  return printReport(title, compareCounts(baseline, last), memory);
}
