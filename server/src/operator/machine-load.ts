import { availableParallelism, cpus, freemem, totalmem } from 'node:os';

/** The machine at a moment. */
export interface MachineMoment {
  /** Time that all cores together have worked, and time that has passed on them, in milliseconds since some moment. */
  busy: number;
  passed: number;
  freeBytes: number;
  totalBytes: number;
  cores: number;
}

/** This machine now. */
export function thisMachine(): MachineMoment {
  let [busy, passed] = [0, 0];
  for (const { times } of cpus()) {
    const working = times.user + times.nice + times.sys + times.irq;
    busy += working;
    passed += working + times.idle;
  }
  // On Linux Node's free memory is what the kernel calls available.
  return { busy, passed, freeBytes: freemem(), totalBytes: totalmem(), cores: availableParallelism() };
}

/** The part of the processor that was used between two moments, 0 to 1. */
export function loadBetween(before: MachineMoment, after: MachineMoment): number {
  const passed = after.passed - before.passed;
  if (passed <= 0) return 0;
  return Math.min(1, Math.max(0, (after.busy - before.busy) / passed));
}
