import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { BusyThread } from './busy-threads.js';
import { BusyThreads } from './busy-threads.js';
import { isBrowser, type ProcessUse } from './session-processes.js';

/**
 * Niceness of a busy session. It gives the session about a ninth of the usual processor time, see sched(7).
 */
const BUSY_NICE = 10;
/** Niceness of a busy thread in the control group of its session. There it competes only with the session. */
const LOWEST_NICE = 19;
const USUAL_NICE = 0;

/** Minimum interval between two checks of threads. Milliseconds. */
const LOOK_INTERVAL_MS = 900;

/** Sets the processor share of a busy session. */
export interface ShareGiver {
  /** Called when the session starts or stops computing without a pause. */
  busy(busy: boolean, uses: readonly ProcessUse[]): void;
  /** Called at each check with the threads that compute without a pause. */
  threads(threads: readonly BusyThread[]): void;
}

/** Gives a session less processor time than other sessions while it computes without a pause. */
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

/**
 * Returns the share giver for a session with its own control group. The service changes the group's share.
 * The host and the display are in the same group. So busy threads get the lowest priority permanently.
 * Otherwise a page with hundreds of such threads would stop the host, and the service would end the session.
 */
export function byService(tell: (busy: boolean) => void): ShareGiver {
  return { busy: tell, threads: (threads) => lower(threads, LOWEST_NICE) };
}

/**
 * Share giver for a session without its own control group. If the kernel uses autogroups (sched(7)), the
 * browser has its own autogroup. This share giver lowers and raises the autogroup's share, which a process of
 * the same user may do. With and without autogroups, it also lowers the priority of busy threads permanently.
 */
export const BY_PRIORITY: ShareGiver = {
  busy(busy, uses) {
    for (const { pid } of uses) {
      if (!isBrowser(pid)) continue;
      try {
        writeFileSync(`/proc/${pid}/autogroup`, String(busy ? BUSY_NICE : USUAL_NICE));
      } catch {
        // There are no autogroups. Then only the priority of busy threads is lowered.
      }
    }
  },
  threads: (threads) => lower(threads, BUSY_NICE),
};

/** Lowers the priority of threads. Linux has priorities of threads. */
function lower(threads: readonly BusyThread[], niceness: number): void {
  for (const { tid } of threads) {
    try {
      setPriority(tid, niceness);
    } catch {
      // The thread has ended.
    }
  }
}
