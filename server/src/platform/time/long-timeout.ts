import type { Clock, Timer } from './clock.js';

/**
 * Longest wait of one timer. JavaScript timers are limited to 2^31 - 1 ms, about 24 days. A timer with a
 * longer wait fires immediately.
 */
const LONGEST_WAIT_MS = 86_400_000;

/** Calls `run` after a wait of any length. Starts a further timer whenever one has ended too early. */
export function longTimeout(
  clock: Pick<Clock, 'now' | 'setTimeout'>,
  run: () => void,
  milliseconds: number,
): Timer {
  const due = clock.now() + milliseconds;
  const wait = (left: number): Timer =>
    clock.setTimeout(
      () => {
        const rest = due - clock.now();
        if (rest > 0) timer = wait(rest);
        else run();
      },
      Math.min(left, LONGEST_WAIT_MS),
    );
  let timer = wait(milliseconds);
  return { cancel: () => timer.cancel() };
}
