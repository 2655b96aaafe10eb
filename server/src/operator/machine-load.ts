import {
  freeMemory,
  machineSize,
  processorTimes,
  type ProcessorTimes,
} from '../platform/process/machine-resources.js';

/** A snapshot of the machine. */
export interface MachineMoment extends ProcessorTimes {
  freeBytes: number;
  totalBytes: number;
  cores: number;
}

/** Returns a snapshot of this machine. */
export function thisMachine(): MachineMoment {
  const { cores, memoryBytes } = machineSize();
  return { ...processorTimes(), freeBytes: freeMemory(), totalBytes: memoryBytes, cores };
}

/** Returns the processor load between two snapshots, 0 to 1. */
export function loadBetween(before: MachineMoment, after: MachineMoment): number {
  const passed = after.passed - before.passed;
  if (passed <= 0) return 0;
  return Math.min(1, Math.max(0, (after.busy - before.busy) / passed));
}
