import { systemClock } from '../platform/clock.js';
import type { ManagedProcess } from '../platform/child-process.js';
import { Watchdog } from '../platform/watchdog.js';

/** A program that can be asked whether it still works. */
export interface WatchedPart {
  process: Pick<ManagedProcess, 'name' | 'kill'>;
  /** It is started again by the program that it belongs to, and the others go on; it is watched on. */
  alone?: true;
  /** Resolves when it has answered. */
  answers(): Promise<unknown>;
}

/** What does not answer any more. */
export interface PartHang {
  name: string;
  /** For so long. */
  milliseconds: number;
  /** The others go on without it. */
  alone: boolean;
}

/**
 * Ends the first of these programs that does not answer any more, and then watches none: the others go with it, if it is not one of
 * those that end alone. Name first what others wait for, as programs do for their display: of those that hang at the same time it is
 * the cause.
 *
 * @returns what ends the watch
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
