import { systemClock } from '../platform/clock.js';
import type { ManagedProcess } from '../platform/child-process.js';
import { Watchdog } from '../platform/watchdog.js';

/** A program that can be asked whether it still works. */
export interface WatchedPart {
  process: Pick<ManagedProcess, 'name' | 'kill'>;
  /** Resolves when it has answered. */
  answers(): Promise<unknown>;
}

/** What does not answer any more. */
export interface PartHang {
  name: string;
  /** For so long. */
  milliseconds: number;
}

/**
 * Ends the first of these programs that does not answer any more, and then watches none: the others go with it. Name first what
 * others wait for, as programs do for their display: of those that hang at the same time it is the cause.
 *
 * @returns what ends the watch
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
  for (const part of parts) {
    const { process } = part;
    const end = (milliseconds: number) => {
      stop();
      onHang({ name: process.name, milliseconds });
      process.kill();
    };
    watchdogs.push(Watchdog.start({ clock, ask: () => part.answers(), onHang: end }));
  }
  return stop;
}
