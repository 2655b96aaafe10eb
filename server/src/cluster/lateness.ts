/**
 * How often nodes renew their leases, and when one that does not is late and lost. Milliseconds.
 *
 * A node that renews every 2 s makes half a statement a second, which a database does for some hundreds of nodes beside all its other
 * work. Past 500 nodes the interval grows with their number, so that all together make 250 to 500 renewals a second however many
 * they are; the limits grow with it, since a node must be able to miss a renewal or two without being passed over.
 */

/** Between two renewals of a small cluster. */
export const RENEWAL_MS = 2_000;
/** Nodes that renew at {@link RENEWAL_MS}. */
const NODES_AT_FULL_PACE = 500;
/** No interval is longer than so many of the shortest: 60 s, at 15,000 nodes. */
const MAX_STRETCH = 30;
/** Renewals that are missing when a node is late: no new session is given to it, and nobody gets its tags. */
const LATE_RENEWALS = 3;
/** Renewals that must be missing before a node is lost, and how long that takes at least. */
const LOST_RENEWALS = 6;
const MIN_LOST_MS = 60_000;
/** How long before it is lost a node ends its tagged sessions itself, at least. */
const FENCE_AHEAD_MS = 10_000;

/** The interval of a cluster of so many nodes. */
export function renewalInterval(nodes: number): number {
  return RENEWAL_MS * Math.min(MAX_STRETCH, Math.max(1, nodes / NODES_AT_FULL_PACE));
}

/** A node that has promised to renew at this interval is late when its last renewal is older. */
export function lateAfter(interval: number): number {
  return LATE_RENEWALS * interval;
}

/** As {@link lateAfter}: it may be declared lost. */
export function lostAfter(interval: number): number {
  return Math.max(MIN_LOST_MS, LOST_RENEWALS * interval);
}

/** As {@link lateAfter}, by its own clock: a node that is cut off ends its tagged sessions, before anybody else may have their tags. */
export function fenceAfter(interval: number): number {
  return lostAfter(interval) - Math.max(FENCE_AHEAD_MS, interval);
}
