import { NodeSamples, type Sample } from './node-samples.js';
import type { NodesAnswer } from './nodes-answer.js';

/** Length of the history on this page. The service keeps the same length. Seconds. */
export const HISTORY_SECONDS = 3_600;
/** Extra time in each request. Answers come late, and nodes make samples between two answers. Seconds. */
const SPARE_SECONDS = 10;

/**
 * Number of intervals for which a node keeps the values of its latest sample. Nodes make samples at different
 * times. Without this, the latest sums would miss some nodes. After these intervals the node counts as
 * silent.
 */
const UNTOLD_MOMENTS = 3;

/** Values of all nodes together in one interval. */
export interface Moment {
  /** Number of nodes with a sample for this interval. With zero nodes, nothing is measured. */
  nodes: number;
  sessions: number;
  viewers: number;
  starts: number;
  /** Milliseconds, for each session that showed its page. */
  startTimes: number[];
  /** Number of rejections by error code. */
  rejections: Map<string, number>;
}

/**
 * The last hour of all nodes, merged from overlapping answers. A sample is identified by node, process and
 * number, so none counts twice. Samples of a process stay after it ended. Times are milliseconds of any one
 * clock.
 */
export class ClusterHistory {
  /** Samples by node and process. */
  readonly #runs = new Map<string, NodeSamples>();
  #current: NodeSamples[] = [];
  #answeredAt = -Infinity;
  #interval = 5;

  /** Seconds between two moments. */
  get interval(): number {
    return this.#interval;
  }

  /**
   * Returns the seconds to request next. They cover the time since the last answer, and samples that the page
   * has never received.
   */
  secondsToAsk(now: number): number {
    const passed = (now - this.#answeredAt) / 1_000;
    const untold = Math.max(0, ...this.#current.map((run) => run.untold(this.#count))) * this.#interval;
    return Math.min(HISTORY_SECONDS, Math.ceil(Math.max(passed, untold) + SPARE_SECONDS));
  }

  /** Adds the answer to a request for this number of seconds. */
  add({ interval, nodes }: NodesAnswer, seconds: number, now: number): void {
    this.#interval = interval;
    this.#answeredAt = now;
    this.#current = nodes.flatMap(({ name, report }) => {
      if (!report || report.number === 0) return [];
      const key = `${name}\n${report.run}`;
      const run = this.#runs.get(key) ?? new NodeSamples(interval * 1_000);
      this.#runs.set(key, run);
      run.add(report, { whole: seconds >= HISTORY_SECONDS, keep: this.#count, now });
      return [run];
    });
    for (const [key, run] of this.#runs)
      if (run.newestAt < now - HISTORY_SECONDS * 1_000) this.#runs.delete(key);
  }

  /** Returns the intervals of the last hour, oldest first. The last one is the latest with a sample. */
  moments(now: number): Moment[] {
    const width = this.#interval * 1_000;
    const newest = Math.max(...[...this.#runs.values()].map((run) => run.slot(run.newest)));
    // Without new samples, time continues.
    const last = Math.max(newest, Math.floor(now / width) - 1);
    const first = last - this.#count + 1;
    const moments = Array.from({ length: this.#count }, emptyMoment);
    for (const run of this.#runs.values()) {
      for (const [number, sample] of run.samples) {
        const moment = moments[run.slot(number) - first];
        if (moment) addTo(moment, sample);
      }
      run.latest(UNTOLD_MOMENTS).forEach(({ slot, sessions, viewers }) => {
        const moment = moments[slot - first];
        if (moment) addTo(moment, { sessions, viewers, starts: 0, startTimes: [], rejections: new Map() });
      });
    }
    return moments;
  }

  get #count(): number {
    return Math.ceil(HISTORY_SECONDS / this.#interval);
  }
}

function emptyMoment(): Moment {
  return { nodes: 0, sessions: 0, viewers: 0, starts: 0, startTimes: [], rejections: new Map() };
}

function addTo(moment: Moment, sample: Sample): void {
  moment.nodes++;
  moment.sessions += sample.sessions;
  moment.viewers += sample.viewers;
  moment.starts += sample.starts;
  moment.startTimes.push(...sample.startTimes);
  for (const [code, count] of sample.rejections)
    moment.rejections.set(code, (moment.rejections.get(code) ?? 0) + count);
}
