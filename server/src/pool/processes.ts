import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const POLL = 20;
/** A killed process that is still there after this long hangs in the kernel. Milliseconds. */
const KILL_LIMIT = 3_000;

/** Processes of a user id that still run. Zombies do not count: they hold nothing, and only PID 1 can reap them. */
export async function processesOf(uid: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const owned = await Promise.all(pids.map((pid) => runsAs(pid, uid)));
  return pids.filter((_, index) => owned[index]);
}

/** Kills everything that runs as a user id. Returns whether all of it is gone. */
export async function killProcessesOf(uid: number): Promise<boolean> {
  const limit = performance.now() + KILL_LIMIT;
  for (;;) {
    const pids = await processesOf(uid);
    if (pids.length === 0) return true;
    if (performance.now() > limit) return false;
    // In a loop: a process may have forked between the look and the kill.
    for (const pid of pids) signal(pid, 'SIGKILL');
    await delay(POLL);
  }
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

async function runsAs(pid: number, uid: number): Promise<boolean> {
  let status: string;
  try {
    status = await readFile(`/proc/${pid}/status`, 'utf8');
  } catch {
    return false;
  }
  if (/^State:\s+[ZX]/m.test(status)) return false;
  // Real, effective, saved and file system id: a process that still holds the id anywhere can take it back.
  const ids = /^Uid:\s+(.+)$/m.exec(status)?.[1]?.split(/\s+/).map(Number) ?? [];
  return ids.includes(uid);
}
