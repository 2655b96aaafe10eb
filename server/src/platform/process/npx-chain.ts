import type { Clock } from '../time/clock.js';
import { processStatus } from './proc.js';
import { repeat } from '../time/repeat.js';

/** Interval of the checks in milliseconds. */
export const LOOK_INTERVAL_MS = 1_000;
/**
 * Maximum number of processes from the parent up to npm's own process. Usually there are one or two, because
 * npx starts programs through a shell, and some shells replace themselves with the program.
 */
const MOST_LINKS = 3;

/** Access to the machine's process tree. */
export interface Lineage {
  /** Id of this process's current parent. It changes when the parent has ended. */
  parent(): number;
  /** Returns the name and parent of a process. Undefined if it has ended or is hidden. */
  look(pid: number): { name: string; parent: number } | undefined;
}

const machine: Lineage = {
  parent: () => process.ppid,
  look(pid) {
    const status = processStatus(pid);
    return status && { name: status.field('Name'), parent: Number(status.field('PPid')) };
  },
};

/**
 * Calls `tell` once when npx, or a shell between it and this process, has ended. The shell does not pass
 * signals on, so after the end of npx the service would continue. Call this only in a process that npx has
 * started, because other processes may outlive the shell that started them, for example under `nohup`.
 *
 * @returns a function that ends the watch
 */
export function onNpxEnd(clock: Clock, tell: () => void, lineage: Lineage = machine): () => void {
  const chain = chainToNpm(lineage);
  // A service without free file descriptors cannot read `/proc`. The next check tries again.
  const onError = () => undefined;
  const looks = repeat(clock, { every: LOOK_INTERVAL_MS, onError }, () => {
    if (isWhole(chain, lineage)) return;
    looks.stop();
    tell();
  });
  return () => looks.stop();
}

/**
 * Returns the ids of the processes from the parent up to the npm process. Returns only the parent if there is
 * no npm process.
 */
function chainToNpm(lineage: Lineage): readonly number[] {
  const parent = lineage.parent();
  const chain: number[] = [];
  for (let pid = parent; chain.length < MOST_LINKS;) {
    const seen = lineage.look(pid);
    chain.push(pid);
    // npm names its process after its command: `npm exec …`.
    if (seen?.name.startsWith('npm')) return chain;
    if (!seen) break;
    pid = seen.parent;
  }
  return [parent];
}

/**
 * True if each process is still the child of the next one. If a parent has ended, its child gets another
 * parent.
 */
function isWhole(chain: readonly number[], lineage: Lineage): boolean {
  return chain.every((pid, index) => {
    const child = chain[index - 1];
    const parent = child === undefined ? lineage.parent() : (lineage.look(child)?.parent ?? pid);
    return parent === pid;
  });
}
