/** Steps of the measured loop, and the milliseconds that they take on the machine that set the deadlines. */
const STEPS = 2e8;
const USUAL_MS = 220;
/** Deadlines get no longer than that, however slow a machine is. */
const MOST = 6;

/** Takes the time of a loop in milliseconds. */
function loopMs() {
  const begun = performance.now();
  let sum = 0;
  for (let step = 0; step < STEPS; step++) sum += step;
  return sum > 0 ? performance.now() - begun : Infinity;
}

/** @param {number} loop milliseconds of a loop */
const slownessOf = (loop) => Math.min(Math.max(loop / USUAL_MS, 1), MOST);

/**
 * Measures how many times slower this machine computes than the one on which the deadlines of the tests were
 * set. From 1 to 6. It takes a second or two, in which the process does nothing else.
 */
function measureSlowness() {
  // The best of three, because other programs run as well.
  return slownessOf(Math.min(...Array.from({ length: 3 }, loopMs)));
}

/**
 * Measures how many times slower one loop is at the moment, other programs included. From 1 to 6. A deadline
 * is checked with it before a test fails: the machine may be busier than it was at the start of the tests.
 */
export const slownessNow = () => slownessOf(loopMs());

/**
 * Returns the slowness for this process and its children, which read it from MACHINE_SLOWNESS. It is measured
 * when that is not set.
 */
export function machineSlowness() {
  process.env.MACHINE_SLOWNESS ??= measureSlowness().toFixed(1);
  const slowness = Number(process.env.MACHINE_SLOWNESS);
  return slowness >= 1 ? slowness : 1;
}
