import { cpus } from 'node:os';

/** Memory that stays free beside a browser that is started for nobody yet: two pages of those who are there. Bytes. */
const HEADROOM_BYTES = 1.5 * 2 ** 30;
/** Less than that is kept for sessions: browsers that wait are ended. Bytes. */
const LEAST_BYTES = 0.75 * 2 ** 30;
/** The rest of the processors is enough for those who work meanwhile. */
const CALM_SHARE = 0.7;

/** What a machine does, as the kernel counts it since it was started. */
export interface MachineCounts {
  /** Of all processors together, in any unit of time. */
  busy: number;
  total: number;
  /** Bytes that programs can still have. */
  memory: number;
}

/** Whether a machine has time and memory for what nobody waits for. */
export class MachineLoad {
  #last: MachineCounts;

  constructor(private readonly read: () => MachineCounts = readCounts) {
    this.#last = read();
  }

  /** Whether the processors were idle enough since the last call; the average that the kernel keeps tells of the minute before. */
  isCalm(): boolean {
    const [before, now] = [this.#last, this.read()];
    this.#last = now;
    return now.busy - before.busy <= (now.total - before.total) * CALM_SHARE;
  }

  /** Memory for one more. */
  hasRoom(): boolean {
    return this.read().memory >= HEADROOM_BYTES;
  }

  /** Sessions need the memory of those that wait. */
  isShort(): boolean {
    return this.read().memory < LEAST_BYTES;
  }
}

function readCounts(): MachineCounts {
  let [busy, total] = [0, 0];
  for (const { times } of cpus()) {
    const all = times.user + times.nice + times.sys + times.irq + times.idle;
    total += all;
    busy += all - times.idle;
  }
  return { busy, total, memory: process.availableMemory() };
}
