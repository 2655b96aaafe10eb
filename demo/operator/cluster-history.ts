import { NodeSamples, type Sample } from './node-samples.js';
import type { NodesAnswer } from './nodes-answer.js';

/** For how long the page remembers; the service keeps as much. Seconds. */
export const HISTORY_SECONDS = 3_600;
/** Asked for beyond what is new: answers come late, and samples are made between two of them. Seconds. */
const SPARE_SECONDS = 10;

/**
 * Nodes make their samples at different moments: for so many intervals after its newest sample a node counts as it was, or the
 * newest sums would lack those whose turn has not come. Then it counts as silent.
 */
const UNTOLD_MOMENTS = 3;

/** All nodes together in one interval. */
export interface Moment {
  /** Nodes whose figures of this interval are known; zero: nothing is known. */
  nodes: number;
  sessions: number;
  viewers: number;
  starts: number;
  /** Milliseconds, of each session that showed its page. */
  startTimes: number[];
  /** By error code. */
  rejections: Map<string, number>;
}

/**
 * The last hour of all nodes, put together of answers that overlap: a sample is known by its node, its process and its number, so none counts
 * twice, and what a process told stays when it is gone. Times are milliseconds of any one clock.
 */
export class ClusterHistory {
  /** By node and process. */
  readonly #runs = new Map<string, NodeSamples>();
  #current: NodeSamples[] = [];
  #answeredAt = -Infinity;
  #interval = 5;

  /** Seconds between two moments. */
  get interval(): number {
    return this.#interval;
  }

  /** For how many seconds to ask next: what is new since the last answer, and what nodes have that was never told. */
  secondsToAsk(now: number): number {
    const passed = (now - this.#answeredAt) / 1_000;
    const untold = Math.max(0, ...this.#current.map((run) => run.untold(this.#count))) * this.#interval;
    return Math.min(HISTORY_SECONDS, Math.ceil(Math.max(passed, untold) + SPARE_SECONDS));
  }

  /** Takes an answer to a request for so many seconds. */
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

  /** The intervals of the last hour, oldest first; the last one is the newest that somebody has told of. */
  moments(now: number): Moment[] {
    const width = this.#interval * 1_000;
    const newest = Math.max(...[...this.#runs.values()].map((run) => run.slot(run.newest)));
    // While nobody tells anything, time passes all the same.
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
