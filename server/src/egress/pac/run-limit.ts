import { readFileSync } from 'node:fs';

/**
 * File whose first number is the processor time of the calling thread in nanoseconds, see proc_schedstat(5).
 */
const SCHEDSTAT = '/proc/thread-self/schedstat';

/** Clocks of a {@link RunLimit}, in milliseconds. */
export interface RunClocks {
  /** Elapsed time. */
  now(): number;
  /** Processor time of this thread. */
  used(): number;
}

const THREAD_CLOCKS: RunClocks = { now: () => performance.now(), used: threadTime };

/**
 * Limits the processor time of code that runs without a pause. Time in which the thread waits for a processor
 * does not count, so the limit does not end a fast script on a busy machine.
 */
export class RunLimit {
  #limit = Infinity;
  #usedAtStart = 0;
  /**
   * Earliest time at which the limit can be reached, because a thread cannot use more processor time than the
   * time that has passed.
   */
  #lookAt = Infinity;

  constructor(private readonly clocks: RunClocks = THREAD_CLOCKS) {}

  /** Starts to count. `limit`: milliseconds of processor time. */
  begin(limit: number): void {
    this.#limit = limit;
    this.#usedAtStart = this.clocks.used();
    this.#lookAt = this.clocks.now() + limit;
  }

  /**
   * True if the limit is reached. Reads the processor time only if the limit may be reached, so frequent
   * calls are cheap.
   */
  get isReached(): boolean {
    const now = this.clocks.now();
    if (now < this.#lookAt) return false;
    const left = this.#limit - (this.clocks.used() - this.#usedAtStart);
    if (left <= 0) return true;
    this.#lookAt = now + left;
    return false;
  }
}

/** Returns the processor time of this thread. If the kernel does not count it, returns the elapsed time. */
function threadTime(): number {
  try {
    const [nanoseconds] = readFileSync(SCHEDSTAT, 'utf8').split(' ');
    const used = Number(nanoseconds) / 1e6;
    if (used > 0) return used;
  } catch {
    // This kernel does not have the file.
  }
  return performance.now();
}
