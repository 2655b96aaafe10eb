/**
 * Limits of speed that the project promises, in one table. `npm run bench -- limits` enforces them on an
 * otherwise idle machine. In `npm test`, on a busy machine, a figure above its limit does not fail, and
 * deadlines are {@link USUAL_SLACK} times longer.
 */
export const LIMITS = {
  'a megabyte pasted into a session': { most: 1_000, unit: 'ms' },
  'a megabyte copied out of a session': { most: 1_000, unit: 'ms' },
  'sound apart from its picture, median': { most: 40, unit: 'ms' },
  // A short stall of the machine delays one or the other.
  'sound apart from its picture, 5 and 95 %': { most: 60, unit: 'ms' },
  'sound of a recording apart from its picture, median': { most: 40, unit: 'ms' },
  'sound of a recording apart from its picture, 95 %': { most: 40, unit: 'ms' },
  'what a viewer says of that, off by': { most: 40, unit: 'ms' },
  'processor time of a host that nobody watches': { most: 2, unit: '% of a core' },
  'processor time of a host beside a still page': { most: 1, unit: '% of a core' },
  'first frame of a late viewer': { most: 1_000, unit: 'ms' },
  'frames that others keep in a flood': { least: 95, unit: '%' },
  'a flooding viewer is sent away': { most: 2_000, unit: 'ms' },
  'frames that a viewer keeps while programs attack': { least: 95, unit: '%' },
  'an ended token disconnects': { most: 1_000, unit: 'ms' },
  'an ended token disconnects through another node': { most: 2_000, unit: 'ms' },
  'a killed agent has released everything': { most: 1_000, unit: 'ms' },
  'frames that a page keeps while files pass': { least: 95, unit: '%' },
  'frames beside sessions that compute': { least: 55, unit: 'of 60 frames/s' },
  'frames of a page': { least: 96, unit: '% of its rate' },
  'frames at a viewer': { least: 80, unit: '% of its rate' },
  'frames in a recording': { least: 80, unit: '%' },
  'the tree of 5,000 nodes is told': { most: 5_000, unit: 'ms' },
  // Noise of the machine causes one or two.
  'gaps over 50 ms that reading 5,000 nodes costs': { most: 2, unit: 'gaps' },
  // The session's browser uses the processor at the same time.
  'gaps over 50 ms that mirroring 5,000 nodes costs': { most: 4, unit: 'gaps' },
  'a session is created for a browser that waits, median': { most: 50, unit: 'ms' },
  'a browser that waits has the page of its session, median': { most: 200, unit: 'ms' },
  // From the click on the demo's button, with a warm browser.
  'first picture of the demo': { most: 600, unit: 'ms' },
  'the welcome page is in the demo': { most: 3_000, unit: 'ms' },
  'frames that viewers keep without the database': { least: 95, unit: '%' },
  'a create without the database is refused': { most: 2_000, unit: 'ms' },
  'creates are taken when the database is back': { most: 5_000, unit: 'ms' },
  'a refused viewer is told': { most: 5_500, unit: 'ms' },
  'what a time limit does is late': { most: 1_000, unit: 'ms' },
  // A call that waited for a poll or a second connection would take longer.
  'a call for tabs, median': { most: 50, unit: 'ms' },
  'first call for tabs of a session on a profile': { most: 1_000, unit: 'ms' },
  'a page has the size of its box': { most: 1_000, unit: 'ms' },
  // Users perceive this as immediate.
  'input beside a stuck page': { most: 500, unit: 'ms' },
  'typing goes on after a crash': { most: 3_000, unit: 'ms' },
  'nothing is left of a service that was killed': { most: 5_000, unit: 'ms' },
  'a lost network is told': { most: 500, unit: 'ms' },
} as const satisfies Record<string, Limit>;

/** An upper limit (`most`) or a lower limit (`least`). */
export type Limit = { unit: string } & ({ most: number } | { least: number });

/** A name of the table. */
export type Figure = keyof typeof LIMITS;

/** Factor for deadlines on a busy machine. Noise worsens a figure by less, a defect by more. */
export const USUAL_SLACK = 5;
