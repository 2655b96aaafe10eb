/**
 * Intervals of lease renewals, and limits after which a node is late or lost. Milliseconds.
 *
 * A node sends one statement for each renewal. With an interval of 2 s, a database can handle some hundreds
 * of nodes. Above 500 nodes the interval grows with their number, so that all nodes together send about 250
 * renewals a second. The limits grow with the interval, so a node may always miss one or two renewals without
 * consequences.
 */

/** Interval of renewals in a small cluster. */
export const RENEWAL_MS = 2_000;
/** Number of nodes up to which the interval is {@link RENEWAL_MS}. */
const NODES_AT_FULL_PACE = 500;
/** Longest interval, as a multiple of {@link RENEWAL_MS}. It is 60 s, and applies from 15,000 nodes. */
const MAX_STRETCH = 30;
/**
 * Number of renewal intervals without a renewal after which a node is late. A late node gets no new sessions,
 * and keeps its tags.
 */
const LATE_RENEWALS = 3;
/** Number of renewal intervals without a renewal after which a node may be declared lost. */
const LOST_RENEWALS = 6;
/** Shortest age of the last renewal at which a node may be declared lost. */
const MIN_LOST_MS = 60_000;
/**
 * A node that is cut off ends its tagged sessions at least this long before other nodes may declare it lost.
 */
const FENCE_AHEAD_MS = 10_000;

/** Returns the interval of a cluster with this number of nodes. */
export function renewalInterval(nodes: number): number {
  return RENEWAL_MS * Math.min(MAX_STRETCH, Math.max(1, nodes / NODES_AT_FULL_PACE));
}

/** Returns the age of the last renewal at which a node with this interval is late. */
export function lateAfter(interval: number): number {
  return LATE_RENEWALS * interval;
}

/** Returns the age of the last renewal at which a node with this interval may be declared lost. */
export function lostAfter(interval: number): number {
  return Math.max(MIN_LOST_MS, LOST_RENEWALS * interval);
}

/**
 * Returns the age of the last renewal at which a node that is cut off ends its tagged sessions. The node
 * measures this age with its own clock. At that age, other nodes may not start sessions with the same tags
 * yet.
 */
export function fenceAfter(interval: number): number {
  return lostAfter(interval) - Math.max(FENCE_AHEAD_MS, interval);
}
