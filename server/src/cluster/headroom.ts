import { availableParallelism, freemem, loadavg, totalmem } from 'node:os';

/** What a session may take at once when it begins: a browser with one heavy page. */
const SESSION_BYTES = 600e6;
/** The part of the memory that must stay free for those that run already. */
const RESERVE = 0.05;
/** Programs that want a core, for each core: from here on a browser does not even start in good time. */
const MAX_LOAD = 64;

/** The machine at this moment. */
export interface MachineLoad {
  /** What programs could still have. */
  freeBytes: number;
  totalBytes: number;
  /** Programs that run or want to, on the average of the last minute. */
  load: number;
  cores: number;
}

/** Whether a machine can take one more session, whatever its sessions take by the books. */
export function hasHeadroom(machine: MachineLoad = thisMachine()): boolean {
  const { freeBytes, totalBytes, load, cores } = machine;
  return freeBytes > Math.max(SESSION_BYTES, RESERVE * totalBytes) && load < MAX_LOAD * cores;
}

function thisMachine(): MachineLoad {
  const [load = 0] = loadavg();
  // On Linux Node's free memory is what the kernel calls available.
  return { freeBytes: freemem(), totalBytes: totalmem(), load, cores: availableParallelism() };
}
