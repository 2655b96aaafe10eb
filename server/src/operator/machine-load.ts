import { availableParallelism, cpus, freemem, totalmem } from 'node:os';

/** A snapshot of the machine. */
export interface MachineMoment {
  /**
   * Time that all cores together have worked, and time that has passed on them, in milliseconds from the same
   * start.
   */
  busy: number;
  passed: number;
  freeBytes: number;
  totalBytes: number;
  cores: number;
}

/** Returns a snapshot of this machine. */
export function thisMachine(): MachineMoment {
  let [busy, passed] = [0, 0];
  for (const { times } of cpus()) {
    const working = times.user + times.nice + times.sys + times.irq;
    busy += working;
    passed += working + times.idle;
  }
  // On Linux, Node's free memory is the kernel's "available" memory.
  return { busy, passed, freeBytes: freemem(), totalBytes: totalmem(), cores: availableParallelism() };
}

/** Returns the processor load between two snapshots, 0 to 1. */
export function loadBetween(before: MachineMoment, after: MachineMoment): number {
  const passed = after.passed - before.passed;
  if (passed <= 0) return 0;
  return Math.min(1, Math.max(0, (after.busy - before.busy) / passed));
}
