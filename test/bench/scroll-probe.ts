import { HEIGHT } from './chromium.js';
import { bytesSent, processorTime, secondsBetween } from './resources.js';
import type { Colour, Screen } from './screen.js';
import { pause, until } from './statistics.js';
import type { RunningTarget } from './targets/target.js';

/** The counter of pages/scroll.html: blocks in the lower left corner, lowest bit first. */
const BITS = 12;
const BLOCK = 16;

/**
 * Milliseconds between two samples of the screen. Two frames within this time count as one, because an eye
 * does not see both either.
 */
const LOOK_INTERVAL_MS = 2;

export interface ScrollResult {
  /** Distinct pictures a second. */
  framesPerSecond: number;
  /** The longest time without a new picture, milliseconds. */
  longestGap: number;
  /** Bits a second that the server side sent, in millions. */
  megabits: number;
  /** Processor time of the server side in percent of one core, without and with Chromium's own. */
  processorBesideChromium: number;
  processorWithChromium: number;
}

/** The number of the frame on the screen, or undefined while another page shows. */
async function frameNumber(screen: Screen): Promise<number | undefined> {
  const row = await screen.row(0, HEIGHT - BLOCK / 2, BITS * BLOCK);
  let number = 0;
  for (let bit = 0; bit < BITS; bit++) {
    const colour: Colour = row[bit * BLOCK + BLOCK / 2] ?? [128, 128, 128];
    const light = colour.every((value) => value > 176);
    if (!light && !colour.every((value) => value < 80)) return undefined;
    if (light) number |= 1 << bit;
  }
  return number;
}

/** Waits for the scrolling page: its counter goes up. */
export async function scrollPageIsShown(screen: Screen): Promise<void> {
  let last: number | undefined;
  await until(async () => {
    const before = last;
    last = await frameNumber(screen);
    return before !== undefined && last !== undefined && last > before && last < before + 60;
  }, 'The scrolling page does not show.');
}

/** Counts the pictures that reach the screen, and measures the resources that the server uses for them. */
export async function measureScrolling(
  screen: Screen,
  target: RunningTarget,
  seconds: number,
): Promise<ScrollResult> {
  const bytesBefore = await bytesOf(target);
  const timeBefore = processorTime(target.serverProcesses);
  const start = performance.now();
  let last = await frameNumber(screen);
  let changedAt = start;
  let frames = 0;
  let longestGap = 0;
  for (let now = start; now < start + seconds * 1000; now = performance.now()) {
    const number = await frameNumber(screen);
    if (number !== undefined && number !== last) {
      const changed = performance.now();
      frames++;
      longestGap = Math.max(longestGap, changed - changedAt);
      [last, changedAt] = [number, changed];
    }
    await pause(LOOK_INTERVAL_MS);
  }
  const measured = (performance.now() - start) / 1000;
  longestGap = Math.max(longestGap, performance.now() - changedAt);
  const timeAfter = processorTime(target.serverProcesses);
  const bytes = (await bytesOf(target)) - bytesBefore;

  const beside = secondsBetween(timeBefore.others, timeAfter.others);
  const chromium = secondsBetween(timeBefore.chromium, timeAfter.chromium);
  return {
    framesPerSecond: frames / measured,
    longestGap,
    megabits: (bytes * 8) / 1e6 / measured,
    processorBesideChromium: (beside / measured) * 100,
    processorWithChromium: ((beside + chromium) / measured) * 100,
  };
}

const bytesOf = (target: RunningTarget): Promise<number> =>
  target.port === undefined ? Promise.resolve(0) : bytesSent(target.port);
