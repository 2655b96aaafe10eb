import { availableParallelism, cpus, freemem, loadavg, totalmem } from 'node:os';

/** Size of a machine. */
export interface MachineSize {
  /** Processor cores that this process may use. */
  cores: number;
  memoryBytes: number;
}

/** Processor time since the machine's start, of all cores together, in milliseconds. */
export interface ProcessorTimes {
  /** Time in which the cores have worked. */
  busy: number;
  /** Busy and idle time together. */
  passed: number;
}

/** Returns the size of this machine. */
export function machineSize(): MachineSize {
  return { cores: availableParallelism(), memoryBytes: totalmem() };
}

/**
 * Returns the bytes of memory that this process and its children can have at most: the memory of the machine,
 * or the limit of their control group if it is lower.
 *
 * @param group limit of the control group; 0 if it is unknown
 */
export function memoryLimit(machine = totalmem(), group = process.constrainedMemory()): number {
  return group > 0 ? Math.min(machine, group) : machine;
}

/** Returns the processor times of this machine. */
export function processorTimes(): ProcessorTimes {
  const times = { busy: 0, passed: 0 };
  for (const { times: core } of cpus()) {
    const busy = core.user + core.nice + core.sys + core.irq;
    times.busy += busy;
    times.passed += busy + core.idle;
  }
  return times;
}

/** Returns the bytes of memory that programs of this machine can still get. */
export function freeMemory(): number {
  // On Linux, Node's free memory is what the kernel calls available.
  return freemem();
}

/** Returns the bytes of memory that this process can still get. Includes the limit of its control group. */
export function memoryForThisProcess(): number {
  return process.availableMemory();
}

/** Returns the number of programs that run or wait to run, on average over the last minute. */
export function loadAverage(): number {
  const [load = 0] = loadavg();
  return load;
}
