import type { RefusalRule } from './guard.js';

/**
 * Interval of reports in milliseconds. Refusals are not reported one by one, because a page can cause
 * thousands in one second.
 */
const TELL_INTERVAL_MS = 100;

/** Counts refusals by rule, and reports them together. */
export class RefusalCounts {
  #counts: Record<string, number> = {};
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly tell: (counts: Record<string, number>) => void) {}

  add(rule: RefusalRule): void {
    this.#counts[rule] = (this.#counts[rule] ?? 0) + 1;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const counts = this.#counts;
      this.#counts = {};
      this.tell(counts);
    }, TELL_INTERVAL_MS);
  }
}
