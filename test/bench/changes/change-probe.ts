import { HEIGHT, WIDTH } from '../chromium.js';
import { clickToEffect } from '../click-probe.js';
import type { Colour, Screen } from '../screen.js';
import { pause, percentile, until } from '../statistics.js';

/** Changes of the screen that a click causes, in the order of the columns of pages/changes.html. */
export const CHANGES = ['solid', 'panel', 'dark', 'photograph'] as const;
export type Change = (typeof CHANGES)[number];

/** Times of one kind of change. */
export interface ChangeResult {
  /** Milliseconds from the press of the button until each watched pixel has changed. */
  times: number[];
  /** Clicks that changed nothing in time. */
  lost: number;
}

/** A pixel of the screen. */
export type Position = readonly [x: number, y: number];

/** The corners of the screen, without text. The change is complete when all of them have changed. */
const CORNERS: readonly Position[] = [
  [40, 40],
  [WIDTH - 40, 40],
  [40, HEIGHT - 40],
  [WIDTH - 40, HEIGHT - 40],
];
/** In the margins of a text. */
const BETWEEN_TEXT: readonly Position[] = [
  [10, 10],
  [WIDTH - 10, 10],
  [10, HEIGHT - 10],
  [WIDTH - 10, HEIGHT - 10],
];
/** In the upper margin of the panel, and below its text. */
const IN_PANEL: readonly Position[] = [
  [WIDTH - 480, HEIGHT - 345],
  [WIDTH - 140, HEIGHT - 345],
];
/** Pixels whose change makes a change complete. */
export const WATCHED: Record<Change, readonly Position[]> = {
  solid: CORNERS,
  panel: IN_PANEL,
  dark: BETWEEN_TEXT,
  photograph: CORNERS,
};

/** A pixel has changed if its colours differ by this sum, of 765. */
const DIFFERENCE = 120;
/** Time for a new scene to be shown completely, and for its refinement. */
const SCENE_MS = 1_500;

/** A click: the times of the press and of the complete change, by `performance.now()`. */
export interface TimedClick {
  pressed: number;
  shown: number;
}

/** Shows the scene of a kind of change, and leaves the pointer there. The page changes is on the screen. */
export async function showScene(screen: Screen, change: Change): Promise<void> {
  const column = WIDTH / CHANGES.length;
  screen.movePointer(column * (CHANGES.indexOf(change) + 0.5), HEIGHT / 2);
  // The first click selects the scene.
  screen.press();
  screen.release();
  await pause(SCENE_MS);
}

/** Measures one kind of change. The page changes is on the screen. */
export async function measureChange(screen: Screen, change: Change, clicks: number): Promise<ChangeResult> {
  await showScene(screen, change);
  const result: ChangeResult = { times: [], lost: 0 };
  for (let click = 0; click < clicks; click++) {
    // Random, so that clicks do not fall into step with frames.
    await pause(300 + Math.random() * 200);
    const timed = await clickToChange(screen, change);
    if (timed === undefined) result.lost++;
    else result.times.push(timed.shown - timed.pressed);
  }
  if (result.times.length < clicks * 0.8)
    throw new Error(`${change}: ${result.lost} of ${clicks} clicks showed nothing.`);
  return result;
}

/** Waits until the page of text is shown. */
export async function changePageIsShown(screen: Screen): Promise<void> {
  const isWhite = async () => (await screen.pixel(10, 10)).every((value) => value > 240);
  // A line of text is less than 25 pixels high, so one of these rows meets letters.
  const rows = () => Promise.all([60, 65, 70, 75, 80].map((y) => screen.row(24, y, 360)));
  const hasText = async () => (await rows()).flat().some(([red]) => red < 100);
  await until(async () => (await isWhite()) && (await hasText()), 'The page of changes does not show.');
}

/** Clicks until the change of the shown scene is complete. Resolves to undefined if the click is lost. */
export async function clickToChange(screen: Screen, change: Change): Promise<TimedClick | undefined> {
  const positions = WATCHED[change];
  const before = await colours(screen, positions);
  const pressed = performance.now();
  const time = await clickToEffect(screen, async () =>
    (await colours(screen, positions)).every((colour, index) => isChanged(colour, before[index])),
  );
  return time === undefined ? undefined : { pressed, shown: pressed + time };
}

function colours(screen: Screen, positions: readonly Position[]): Promise<Colour[]> {
  return Promise.all(positions.map(([x, y]) => screen.pixel(x, y)));
}

function isChanged(now: Colour, before: Colour | undefined): boolean {
  if (!before) return false;
  return now.reduce((sum, value, index) => sum + Math.abs(value - (before[index] ?? 0)), 0) > DIFFERENCE;
}

/** Returns the times of all rounds as `p50 / p95`. */
export function timesOf(results: readonly ChangeResult[]): string {
  const times = results.flatMap((result) => result.times);
  if (times.length === 0) return 'failed';
  return [0.5, 0.95].map((share) => percentile(times, share).toFixed(1)).join(' / ');
}
