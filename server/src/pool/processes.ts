import { setTimeout as delay } from 'node:timers/promises';
import {
  commandLine,
  processes,
  processStatus,
  workingDirectory,
  type ProcessStatus,
} from '../platform/process/proc.js';

/**
 * Interval in milliseconds of the checks whether killed processes are gone. Checks are needed, because the
 * kernel reports the end of a process only to its parent.
 */
const POLL_INTERVAL_MS = 20;
/** Time in milliseconds after which a killed process that still exists counts as hanging in the kernel. */
const KILL_TIMEOUT_MS = 3_000;

/**
 * Returns the running processes of a user id. Includes processes that hold the id in any form (for example as
 * saved id), because they can switch back to it.
 */
export function processesOf(uid: number): number[] {
  return [...processes()].filter((status) => runsAs(status, uid)).map(({ pid }) => pid);
}

/** Kills all processes of a user id. Returns true if all of them are gone. */
export async function killProcessesOf(uid: number): Promise<boolean> {
  const limit = performance.now() + KILL_TIMEOUT_MS;
  // Repeats the check and the kill, because a process may have forked between them.
  for (;;) {
    const pids = processesOf(uid);
    if (pids.length === 0) return true;
    if (performance.now() > limit) return false;
    for (const pid of pids) signal(pid, 'SIGKILL');
    do await delay(POLL_INTERVAL_MS);
    while (performance.now() < limit && pids.some((pid) => runsAs(processStatus(pid), uid)));
  }
}

/**
 * Returns processes that have this path, or a path below it, in their command line or as their working
 * directory. A process in a sandbox may show the path in only one of the two, so both are checked.
 */
export function processesNaming(path: string): number[] {
  const named = (pid: number) =>
    `${commandLine(pid)}\0${workingDirectory(pid)}`
      .split(path)
      .slice(1)
      .some((rest) => !/^\d/.test(rest));
  return [...processes()].filter(({ zombie, pid }) => !zombie && named(pid)).map(({ pid }) => pid);
}

/** Resolves when `sought` returns no more processes, or after this many milliseconds. */
export async function goneIn(milliseconds: number, sought: () => readonly number[]): Promise<void> {
  const limit = performance.now() + milliseconds;
  while (sought().length > 0 && performance.now() < limit) await delay(POLL_INTERVAL_MS);
}

/** Kills a process group. Does nothing if the group is already gone. */
export function killGroup(leader: number): void {
  signal(-leader, 'SIGKILL');
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function runsAs(status: ProcessStatus | undefined, uid: number): boolean {
  return status !== undefined && !status.zombie && status.uids.includes(uid);
}
