import type { Clock } from '../../platform/time/clock.js';
import { repeat } from '../../platform/time/repeat.js';

/** Interval of the checks in milliseconds. */
const LOOK_MS = 1_000;
/**
 * Number of consecutive checks that find the node late, before this node asks it for an answer. Directly
 * after an outage of the database, all nodes are late for a moment.
 */
const LATE_LOOKS = 3;

/** The checks of a node for {@link watchForSilence}. */
export interface WatchedNode {
  /** Resolves to true if the node is late with its lease, lost, or has left. */
  isLate: () => Promise<boolean>;
  /** Resolves if the node answers a short request. Rejects if it does not answer in time. */
  answers: () => Promise<unknown>;
}

/**
 * Calls `onSilent` when a node is late with its lease and does not answer, for example because its process
 * was stopped. A connection to such a node stays open. A node that is cut off from the database alone is late
 * too, but answers. Returns a function that ends the checks.
 */
export function watchForSilence(
  clock: Pick<Clock, 'now' | 'setTimeout'>,
  { isLate, answers }: WatchedNode,
  onSilent: () => void,
): () => void {
  let late = 0;
  let stopped = false;
  const looks = repeat(clock, { every: LOOK_MS }, async () => {
    late = (await isLate()) ? late + 1 : 0;
    if (late < LATE_LOOKS) return;
    late = 0;
    const answered = await answers().then(
      () => true,
      () => false,
    );
    if (answered || stopped) return;
    stop();
    onSilent();
  });
  const stop = (): void => {
    stopped = true;
    looks.stop();
  };
  return stop;
}
