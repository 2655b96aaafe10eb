import { HEIGHT, WIDTH } from './chromium.js';
import type { Colour, Screen } from './screen.js';
import { pause, percentile, until } from './statistics.js';

/**
 * The place of the click and the watched pixel, in pixels. They lie apart, so that the cursor does not hide
 * the pixel.
 */
const CLICK = { x: 400, y: 300 };
const WATCHED = { x: WIDTH - 340, y: HEIGHT - 200 };

/** pages/click.html has two colours: when it is off, red is below blue; when it is on, red is above blue. */
const OFF: Colour = [24, 96, 176];
const isOn = ([red, , blue]: Colour): boolean => red > blue;
const isNear = (a: Colour, b: Colour): boolean => a.every((value, i) => Math.abs(value - (b[i] ?? 0)) < 24);

/**
 * Milliseconds between two samples of the pixel. Sampling without a pause would take a core from the
 * measurement. The pause adds at most one millisecond, equally to every target.
 */
const LOOK_INTERVAL_MS = 1;

/** A click that changes nothing on the screen within this time counts as lost. */
const LOST_AFTER_MS = 2_000;

export interface ClickResult {
  /** Milliseconds from the press of the button to the changed pixel. */
  p50: number;
  p95: number;
  lost: number;
}

/** Resolves to true if the click page is on the screen. */
export async function clickPageIsShown(screen: Screen): Promise<boolean> {
  return isNear(await screen.pixel(WATCHED.x, WATCHED.y), OFF);
}

/** Clicks and measures the time until the pixel changes. Fails if more than a fifth of the clicks is lost. */
export async function measureClicks(screen: Screen, clicks: number): Promise<ClickResult> {
  const { times, lost } = await clickTimes(screen, clicks);
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95), lost };
}

/**
 * Returns the time of each click that changed the pixel. Gaps are random, so that clicks do not fall into
 * step with frames.
 *
 * @param beforeClick called before each press, after the pause
 */
export async function clickTimes(
  screen: Screen,
  clicks: number,
  beforeClick?: () => Promise<void>,
): Promise<{ times: number[]; lost: number }> {
  await until(() => clickPageIsShown(screen), 'The click page does not show.');
  screen.movePointer(CLICK.x, CLICK.y);
  const times: number[] = [];
  let lost = 0;
  for (let click = 0; click < clicks; click++) {
    await pause(200 + Math.random() * 200);
    await beforeClick?.();
    const time = await clickToPixel(screen);
    if (time === undefined) lost++;
    else times.push(time);
  }
  if (times.length < clicks * 0.8) throw new Error(`${lost} of ${clicks} clicks showed nothing.`);
  return { times, lost };
}

async function clickToPixel(screen: Screen): Promise<number | undefined> {
  const before = isOn(await screen.pixel(WATCHED.x, WATCHED.y));
  return clickToEffect(screen, async () => isOn(await screen.pixel(WATCHED.x, WATCHED.y)) !== before);
}

/**
 * Presses the button until its effect shows. Resolves to the milliseconds, or to undefined if the click is
 * lost.
 */
export async function clickToEffect(
  screen: Screen,
  shows: () => Promise<boolean>,
): Promise<number | undefined> {
  const start = performance.now();
  screen.press();
  try {
    while (!(await shows())) {
      if (performance.now() - start > LOST_AFTER_MS) return undefined;
      await pause(LOOK_INTERVAL_MS);
    }
    return performance.now() - start;
  } finally {
    screen.release();
  }
}
