import type { NodeReport } from './nodes-answer.js';

/** What a node saw in one interval. */
export interface Sample {
  sessions: number;
  viewers: number;
  starts: number;
  /** Milliseconds. */
  startTimes: readonly number[];
  /** By error code. */
  rejections: ReadonlyMap<string, number>;
}

/** What one process of a node has told: its samples by their number, and when they were made. */
export class NodeSamples {
  readonly samples = new Map<number, Sample>();
  /** The number of the newest one. */
  newest = 0;
  /** When the newest one was told of, in milliseconds. */
  newestAt = -Infinity;
  /** All from this number up to {@link #unbrokenTo} were told. */
  #unbrokenFrom = Infinity;
  #unbrokenTo = -Infinity;
  /** The interval of sample 0, counted from the beginning of the clock. */
  #zeroSlot: number | undefined;

  /** @param width of an interval, in milliseconds */
  constructor(private readonly width: number) {}

  /**
   * Takes a report.
   *
   * @param whole it was asked for all that the node has
   * @param keep that many of the newest
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

  /** How many of the newest have to be asked for, for nothing to be missing of the last `keep`; 0: nothing is missing. */
  untold(keep: number): number {
    if (this.#unbrokenTo < this.newest) return this.newest - this.#unbrokenTo;
    const oldest = Math.max(1, this.newest - keep + 1);
    return this.#unbrokenFrom > oldest ? this.newest - oldest + 1 : 0;
  }

  /** In which interval of the clock a sample was made. */
  slot(number: number): number {
    return (this.#zeroSlot ?? 0) + number;
  }

  /** How it was at its newest sample, for some intervals after that one. */
  latest(count: number): { slot: number; sessions: number; viewers: number }[] {
    const sample = this.samples.get(this.newest);
    if (!sample) return [];
    const { sessions, viewers } = sample;
    const after = Array.from({ length: count }, (_, index) => this.slot(this.newest) + index + 1);
    return after.map((slot) => ({ slot, sessions, viewers }));
  }

  /**
   * The newest sample was made in this interval of the clock or the one before; answers are quick or slow, which must not
   * move what was there already. A node's timer is late by a little each time, and after hours by an interval.
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
