import {
  memoryForThisProcess,
  processorTimes,
  type ProcessorTimes,
} from '../platform/process/machine-resources.js';

/**
 * Free memory in bytes below which no warm browser is started, so that running sessions have enough memory
 * for more pages.
 */
const HEADROOM_BYTES = 1.5 * 2 ** 30;
/**
 * Free memory in bytes below which warm browsers are ended, so that sessions get the memory of these
 * browsers.
 */
const LEAST_BYTES = 0.75 * 2 ** 30;
/**
 * Highest share of busy processor time at which the machine counts as calm. The remaining time is enough for
 * running sessions.
 */
const CALM_SHARE = 0.7;

/** Processor time of a machine since its start, and its free memory. */
export interface MachineCounts extends ProcessorTimes {
  /** Bytes of memory that programs can still get. */
  memory: number;
}

/** Checks if a machine has processor time and memory for warm browsers. */
export class MachineLoad {
  #last: MachineCounts;

  constructor(private readonly read: () => MachineCounts = readCounts) {
    this.#last = read();
  }

  /**
   * Returns true if the processors were idle enough since the last call. Does not use the kernel's load
   * average, because that is an average over at least a minute.
   */
  isCalm(): boolean {
    const [before, now] = [this.#last, this.read()];
    this.#last = now;
    return now.busy - before.busy <= (now.passed - before.passed) * CALM_SHARE;
  }

  /** Returns true if there is memory for one more browser. */
  hasRoom(): boolean {
    return this.read().memory >= HEADROOM_BYTES;
  }

  /** Returns true if sessions need the memory of warm browsers. */
  isShort(): boolean {
    return this.read().memory < LEAST_BYTES;
  }
}

function readCounts(): MachineCounts {
  return { ...processorTimes(), memory: memoryForThisProcess() };
}
