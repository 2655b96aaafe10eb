import { freeMemory, loadAverage, machineSize } from '../../platform/process/machine-resources.js';

/** Memory that a session may need as soon as it begins: a browser with one heavy page. */
const SESSION_BYTES = 600e6;
/** Share of the memory that must stay free for running sessions. */
const RESERVE = 0.05;
/** Load per core at which a browser no longer starts in time. */
const MAX_LOAD = 64;

/** State of the machine at this moment. */
export interface MachineState {
  /** Memory that programs could still get. */
  freeBytes: number;
  totalBytes: number;
  /** Programs that run or wait to run, on average over the last minute. */
  load: number;
  cores: number;
}

/**
 * True if a machine can take one more session. This depends on its measured memory and load, not on
 * placements.
 */
export function hasHeadroom(machine: MachineState = thisMachine()): boolean {
  const { freeBytes, totalBytes, load, cores } = machine;
  return freeBytes > Math.max(SESSION_BYTES, RESERVE * totalBytes) && load < MAX_LOAD * cores;
}

function thisMachine(): MachineState {
  const { cores, memoryBytes } = machineSize();
  return { freeBytes: freeMemory(), totalBytes: memoryBytes, load: loadAverage(), cores };
}
