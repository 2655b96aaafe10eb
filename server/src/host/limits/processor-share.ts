import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { BusyThread } from './busy-threads.js';
import { BusyThreads } from './busy-threads.js';
import { isBrowser, type ProcessUse } from './session-processes.js';

/** A ninth of the usual share; sched(7). */
const BUSY_NICE = 10;
const USUAL_NICE = 0;

/** Threads are looked at so often at most. */
const LOOK_INTERVAL_MS = 900;

/** What gives a busy session less of the processor. */
export interface ShareGiver {
  /** The session computes without a pause, or does not any more. */
  busy(busy: boolean, uses: readonly ProcessUse[]): void;
  /** These threads do; told at each look. */
  threads(threads: readonly BusyThread[]): void;
}

/** Gives a session that computes without a pause less of the processor than its neighbours, as long as it does. */
export class ProcessorShare {
  readonly #threads: BusyThreads;
  #busy = false;
  #looked = 0;

  constructor(
    private readonly giver: ShareGiver,
    threads = new BusyThreads(),
  ) {
    this.#threads = threads;
  }

  /** @param now milliseconds */
  look(uses: readonly ProcessUse[], now: number): void {
    if (now - this.#looked < LOOK_INTERVAL_MS) return;
    this.#looked = now;
    const found = this.#threads.look(uses, now);
    if (found.length > 0) this.giver.threads(found);
    const { busy } = this.#threads;
    if (busy === this.#busy) return;
    this.#busy = busy;
    this.giver.busy(busy, uses);
  }
}

/** For a session that has a group of its own, which is the service's. */
export function byService(tell: (busy: boolean) => void): ShareGiver {
  return { busy: tell, threads: () => undefined };
}

/**
 * For a session without a group of its own. With `sched_autogroup` the browser has one all the same, whose share may be lowered and
 * raised again by whoever runs as its user; sched(7). Elsewhere the threads themselves are lowered, for good.
 */
export const BY_PRIORITY: ShareGiver = {
  busy(busy, uses) {
    for (const { pid } of uses) {
      if (!isBrowser(pid)) continue;
      try {
        writeFileSync(`/proc/${pid}/autogroup`, String(busy ? BUSY_NICE : USUAL_NICE));
      } catch {
        // There are no such groups; the threads are lowered in any case.
      }
    }
  },
  threads(threads) {
    for (const { tid } of threads) {
      try {
        setPriority(tid, BUSY_NICE);
      } catch {
        // It has ended.
      }
    }
  },
};
