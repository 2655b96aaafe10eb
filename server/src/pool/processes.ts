import { setTimeout as delay } from 'node:timers/promises';
import { commandLine, processes, processStatus, type ProcessStatus } from '../platform/proc.js';

/** Between two looks at killed processes: the kernel does not announce their end. */
const POLL_INTERVAL_MS = 20;
/** A killed process that is still there after this long hangs in the kernel. */
const KILL_TIMEOUT_MS = 3_000;

/** Processes of a user id that still run: all that hold the id anywhere, since they can take it back. */
export function processesOf(uid: number): number[] {
  return [...processes()].filter((status) => runsAs(status, uid)).map(({ pid }) => pid);
}

/** Kills everything that runs as a user id. Returns whether all of it is gone. */
export async function killProcessesOf(uid: number): Promise<boolean> {
  const limit = performance.now() + KILL_TIMEOUT_MS;
  // In a loop: a process may have forked between the look and the kill.
  for (;;) {
    const pids = processesOf(uid);
    if (pids.length === 0) return true;
    if (performance.now() > limit) return false;
    for (const pid of pids) signal(pid, 'SIGKILL');
    do await delay(POLL_INTERVAL_MS);
    while (performance.now() < limit && pids.some((pid) => runsAs(processStatus(pid), uid)));
  }
}

/** Processes whose command line names this path, or one below it. */
export function processesNaming(path: string): number[] {
  const named = (pid: number) =>
    commandLine(pid)
      .split(path)
      .slice(1)
      .some((rest) => !/^\d/.test(rest));
  return [...processes()].filter(({ zombie, pid }) => !zombie && named(pid)).map(({ pid }) => pid);
}

/** Resolves when there are no such processes any more, or after this many milliseconds. */
export async function goneIn(milliseconds: number, sought: () => readonly number[]): Promise<void> {
  const limit = performance.now() + milliseconds;
  while (sought().length > 0 && performance.now() < limit) await delay(POLL_INTERVAL_MS);
}

/** Kills a process group; one that is gone already is fine. */
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
