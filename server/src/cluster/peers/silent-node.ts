import type { Clock, Timer } from '../../platform/time/clock.js';

/** Interval of the checks in milliseconds. */
const LOOK_MS = 1_000;
/**
 * Number of consecutive checks that must find the node late before it is asked for an answer. Directly after
 * an outage of the database, all nodes are late for a moment.
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
  clock: Pick<Clock, 'setTimeout'>,
  { isLate, answers }: WatchedNode,
  onSilent: () => void,
): () => void {
  let timer: Timer | undefined;
  let late = 0;
  let stopped = false;
  const look = async (): Promise<void> => {
    late = (await isLate()) ? late + 1 : 0;
    if (late === LATE_LOOKS) {
      late = 0;
      const answered = await answers().then(
        () => true,
        () => false,
      );
      if (!answered && !stopped) {
        onSilent();
        return;
      }
    }
    if (!stopped) schedule();
  };
  const schedule = (): void => {
    timer = clock.setTimeout(() => void look(), LOOK_MS);
  };
  schedule();
  return () => {
    stopped = true;
    timer?.cancel();
  };
}
