import type { Clock } from './clock.js';
import { processStatus } from './proc.js';

/** Between two looks. */
export const LOOK_INTERVAL_MS = 1_000;
/** npx has one shell between itself and what it runs; some shells become what they run. */
const MOST_LINKS = 3;

/** What is asked of the machine. */
export interface Lineage {
  /** The process that this one belongs to now: another one when it has ended. */
  parent(): number;
  /** The name of a process, and whose child it is; undefined when it has ended or is hidden. */
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
 * Tells once when npx, or a shell between it and this process, has ended: npx passes no signal on through a shell, so that whoever
 * ends npx would leave the service behind. Only for a process that npx has started: others may well outlive the shell that started
 * them, under `nohup` for example.
 *
 * @returns what ends the watch
 */
export function onNpxEnd(clock: Clock, tell: () => void, lineage: Lineage = machine): () => void {
  const chain = chainToNpm(lineage);
  const look = () => {
    if (isWhole(chain, lineage)) timer = clock.setTimeout(look, LOOK_INTERVAL_MS);
    else tell();
  };
  let timer = clock.setTimeout(look, LOOK_INTERVAL_MS);
  return () => timer.cancel();
}

/** The ids of the processes from the parent to npm's own; the parent alone when npm's is not seen. */
function chainToNpm(lineage: Lineage): readonly number[] {
  const parent = lineage.parent();
  const chain: number[] = [];
  for (let pid = parent; chain.length < MOST_LINKS;) {
    const seen = lineage.look(pid);
    chain.push(pid);
    // It names itself after what it does: `npm exec …`.
    if (seen?.name.startsWith('npm')) return chain;
    if (!seen) break;
    pid = seen.parent;
  }
  return [parent];
}

/** Whether each process still is the child of the next: one whose parent has ended is given to another. */
function isWhole(chain: readonly number[], lineage: Lineage): boolean {
  return chain.every((pid, index) => {
    const child = chain[index - 1];
    const parent = child === undefined ? lineage.parent() : (lineage.look(child)?.parent ?? pid);
    return parent === pid;
  });
}
