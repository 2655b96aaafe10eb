import { systemClock } from '../../platform/time/clock.js';
import type { ManagedProcess } from '../../platform/process/child-process.js';
import { Watchdog } from '../../platform/process/watchdog.js';

/** A program that is checked for answers. */
export interface WatchedPart {
  process: Pick<ManagedProcess, 'name' | 'kill'>;
  /** Resolves when the program has answered. */
  answers: () => Promise<unknown>;
}

/** A part that does not answer. */
export interface PartHang {
  name: string;
  /** Milliseconds since the request that the part has not answered. */
  milliseconds: number;
  /** True if the other parts continue without it. */
  alone: boolean;
}

/**
 * Checks programs for answers, and ends a program that does not answer. The watch then stops, because the
 * other parts end together with this program. If several parts hang at the same time, the first one in the
 * list counts as the cause. So pass a part before the parts that depend on it, for example the display before
 * its programs.
 *
 * @returns a function that ends the watch
 */
export function watchParts(
  parts: readonly WatchedPart[],
  onHang: (hang: PartHang) => void,
  clock = systemClock,
): () => void {
  const watchdogs: Watchdog[] = [];
  const stop = () => {
    for (const watchdog of watchdogs) watchdog.stop();
  };
  for (const { process, answers } of parts) {
    const end = (milliseconds: number) => {
      stop();
      onHang({ name: process.name, milliseconds, alone: false });
      process.kill();
    };
    watchdogs.push(Watchdog.start({ clock, ask: answers, onHang: end }));
  }
  return stop;
}
