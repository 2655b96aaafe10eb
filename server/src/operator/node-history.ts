import type { Clock } from '../platform/time/clock.js';
import { repeat, type Repetition } from '../platform/time/repeat.js';
import {
  HISTORY_SECONDS,
  SAMPLE_SECONDS,
  type NodeReport,
  type NodeSample,
} from '../sessions/placement/nodes.js';
import { loadBetween, thisMachine, type MachineMoment } from './machine-load.js';

/**
 * Maximum number of start times in one sample of {@link SAMPLE_SECONDS}. No node starts more sessions in this
 * time.
 */
const MAX_START_TIMES = 100;

/** Dependencies of a {@link NodeHistory}. */
export interface NodeHistoryParts {
  version: string;
  /** Id of this process. */
  run: string;
  clock: Clock;
  /** True if the database is reachable. Null without a database. */
  database: () => boolean | null;
  machine?: () => MachineMoment;
}

/** Values that are counted for a sample. */
export interface Counted {
  sessions: number;
  viewers: number;
  agents: number;
}

/**
 * Samples of this node from the last hour. They take a few hundred kilobytes of memory, and are lost when the
 * process ends.
 */
export class NodeHistory {
  readonly #samples: NodeSample[] = [];
  #number = 0;
  #startTimes: number[] = [];
  #starts = 0;
  #rejections: Record<string, number> = {};
  #repetition: Repetition | undefined;
  #machine: MachineMoment;

  constructor(private readonly parts: NodeHistoryParts) {
    this.#machine = this.#now();
  }

  /** Starts to take samples. Call it once. */
  start(count: () => Counted): void {
    this.#repetition = repeat(this.parts.clock, { every: SAMPLE_SECONDS * 1_000 }, () =>
      this.#sample(count()),
    );
  }

  /** Stops taking samples. Safe to call twice. */
  stop(): void {
    this.#repetition?.stop();
  }

  /**
   * Counts a session whose page was shown. `seconds`: time from the create request until the page was shown.
   */
  started(seconds: number): void {
    this.#starts++;
    if (this.#startTimes.length < MAX_START_TIMES) this.#startTimes.push(Math.round(seconds * 1_000));
  }

  /** Counts a refused request. */
  rejected(code: string): void {
    this.#rejections[code] = (this.#rejections[code] ?? 0) + 1;
  }

  /**
   * Returns a report with the samples of the last `seconds`. Also for 0 seconds, the report contains the
   * newest sample, if a sample exists.
   */
  report(seconds: number): NodeReport {
    const { version, run } = this.parts;
    const count = Math.max(1, Math.ceil(seconds / SAMPLE_SECONDS));
    const { cores, totalBytes } = this.#machine;
    return {
      ...{ version, run, cores, memoryBytes: totalBytes, number: this.#number },
      samples: this.#samples.slice(-count),
    };
  }

  #now(): MachineMoment {
    return (this.parts.machine ?? thisMachine)();
  }

  #sample({ sessions, viewers, agents }: Counted): void {
    const machine = this.#now();
    this.#samples.push({
      ...{ sessions, viewers, agents, startTimes: this.#startTimes, starts: this.#starts },
      rejections: this.#rejections,
      load: Math.round(loadBetween(this.#machine, machine) * 1_000) / 1_000,
      freeBytes: machine.freeBytes,
      database: this.parts.database(),
    });
    if (this.#samples.length > HISTORY_SECONDS / SAMPLE_SECONDS) this.#samples.shift();
    this.#number++;
    this.#machine = machine;
    this.#startTimes = [];
    this.#starts = 0;
    this.#rejections = {};
  }
}
