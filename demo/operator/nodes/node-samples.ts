import type { NodeReport } from './nodes-answer.js';

/** Sample of a node for one interval. */
export interface Sample {
  sessions: number;
  viewers: number;
  starts: number;
  /** Milliseconds. */
  startTimes: readonly number[];
  /** Number of rejections by error code. */
  rejections: ReadonlyMap<string, number>;
}

/** Samples of one process of a node by number, with their times. */
export class NodeSamples {
  readonly samples = new Map<number, Sample>();
  /** Number of the latest sample. */
  newest = 0;
  /** Arrival time of the latest sample in milliseconds. */
  newestAt = -Infinity;
  /** Start of the range up to {@link #unbrokenTo} without missing samples. */
  #unbrokenFrom = Infinity;
  #unbrokenTo = -Infinity;
  /** Interval of sample 0, counted from time 0 of the clock. */
  #zeroSlot: number | undefined;

  /** @param width length of an interval in milliseconds */
  constructor(private readonly width: number) {}

  /**
   * Adds a report.
   *
   * @param whole true if the request covered all samples of the node
   * @param keep number of latest samples to keep
   */
  add(report: NodeReport, { whole, keep, now }: { whole: boolean; keep: number; now: number }): void {
    const { number, history } = report;
    const first = number - history.sessions.length + 1;
    for (let at = first; at <= number; at++) this.samples.set(at, sampleAt(history, at - first));
    if (whole || this.newest === 0 || first <= this.#unbrokenTo + 1) {
      this.#unbrokenFrom = whole ? -Infinity : Math.min(this.#unbrokenFrom, first);
      this.#unbrokenTo = number;
    }
    this.newest = number;
    this.newestAt = now;
    for (const old of this.samples.keys()) if (old <= number - keep) this.samples.delete(old);
    this.#place(now);
  }

  /**
   * Returns the number of latest samples to request so that the last `keep` are complete. 0 if none are
   * missing.
   */
  untold(keep: number): number {
    if (this.#unbrokenTo < this.newest) return this.newest - this.#unbrokenTo;
    const oldest = Math.max(1, this.newest - keep + 1);
    return this.#unbrokenFrom > oldest ? this.newest - oldest + 1 : 0;
  }

  /** Returns the interval of a sample on the clock. */
  slot(number: number): number {
    return (this.#zeroSlot ?? 0) + number;
  }

  /** Returns the values of the latest sample for some intervals after it. */
  latest(count: number): { slot: number; sessions: number; viewers: number }[] {
    const sample = this.samples.get(this.newest);
    if (!sample) return [];
    const { sessions, viewers } = sample;
    const after = Array.from({ length: count }, (_, index) => this.slot(this.newest) + index + 1);
    return after.map((slot) => ({ slot, sessions, viewers }));
  }

  /**
   * Assigns the latest sample to this interval of the clock or to the one before. Fast or slow answers must
   * not move earlier samples. A node's timer is a little late each time, which adds up to an interval after
   * hours.
   */
  #place(now: number): void {
    const zero = Math.floor(now / this.width) - this.newest;
    if (this.#zeroSlot === undefined || Math.abs(zero - this.#zeroSlot) > 1) this.#zeroSlot = zero;
  }
}

function sampleAt(history: NodeReport['history'], index: number): Sample {
  return {
    sessions: history.sessions[index] ?? 0,
    viewers: history.viewers[index] ?? 0,
    starts: history.starts[index] ?? 0,
    startTimes: history.start_times[index] ?? [],
    rejections: new Map(Object.entries(history.rejections[index] ?? {})),
  };
}
