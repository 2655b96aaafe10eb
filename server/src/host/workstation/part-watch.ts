import { systemClock } from '../../platform/time/clock.js';
import type { ManagedProcess } from '../../platform/process/child-process.js';
import { Watchdog } from '../../platform/process/watchdog.js';

/** A program that can be checked for an answer. */
export interface WatchedPart {
  process: Pick<ManagedProcess, 'name' | 'kill'>;
  /**
   * True if the program's own parent restarts it and the other parts continue. It is also watched afterwards.
   */
  alone?: true;
  /** Resolves when the program has answered. */
  answers(): Promise<unknown>;
}

/** A part that does not answer. */
export interface PartHang {
  name: string;
  /** Milliseconds since the unanswered check. */
  milliseconds: number;
  /** True if the other parts continue without it. */
  alone: boolean;
}

/**
 * Ends a program that does not answer any more. Unless it is marked as `alone`, the watch then stops, because
 * the other parts end with it. If several parts hang at the same time, the first one in the list counts as
 * the cause. So pass a part before the parts that depend on it, for example the display before its programs.
 *
 * @returns a function that ends the watch
 */
export function watchParts(
  parts: readonly WatchedPart[],
  onHang: (hang: PartHang) => void,
  clock = systemClock,
): () => void {
  const watchdogs = new Map<WatchedPart, Watchdog>();
  const stop = () => {
    for (const watchdog of watchdogs.values()) watchdog.stop();
  };
  const watch = (part: WatchedPart) => {
    const { process, alone = false } = part;
    const end = (milliseconds: number) => {
      if (alone) watch(part);
      else stop();
      onHang({ name: process.name, milliseconds, alone });
      process.kill();
    };
    watchdogs.set(part, Watchdog.start({ clock, ask: () => part.answers(), onHang: end }));
  };
  for (const part of parts) watch(part);
  return stop;
}
