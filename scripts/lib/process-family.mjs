/**
 * Finds and ends all processes that a command has started, also those that the command no longer tracks.
 * Linux only: reads `/proc`.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Interval of checks of a family that is to end. Milliseconds. */
const LOOK_INTERVAL_MS = 100;
/**
 * Time limits in milliseconds: for a command to end by itself and clean up, and then for the kernel to end
 * the rest. Together less than 5 s.
 */
export const GRACE_MS = 3_000;
const KILL_LIMIT_MS = 1_000;

/**
 * Reads all processes of the machine. `started` identifies a process together with its pid, because pids are
 * reused.
 */
function allProcesses() {
  const found = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The name before this position may contain blanks and brackets, see proc(5).
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const [state, parent, , session] = fields;
      if (state === 'Z' || state === 'X') continue;
      found.push({
        pid: Number(name),
        parent: Number(parent),
        session: Number(session),
        started: fields[19],
      });
    } catch {
      // The process has ended in the meantime.
    }
  }
  return found;
}

/**
 * Returns the given processes, their descendants, and the processes of sessions that one of them leads. A
 * process whose parent has ended gets another parent, but keeps its session.
 */
export function familyOf(pids, processes = allProcesses()) {
  const family = new Set(pids);
  for (let size = -1; size !== family.size;) {
    size = family.size;
    for (const { pid, parent, session } of processes)
      if (family.has(parent) || family.has(session)) family.add(pid);
  }
  return processes.filter(({ pid }) => family.has(pid));
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended in the meantime.
  }
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Ends a command and all processes that it has started: sends the signal, waits until all are gone or
 * `graceMs` are over, and kills the rest. Resolves when none is left, or when the rest cannot be killed.
 */
export async function endFamily(pid, signal, graceMs = GRACE_MS) {
  const known = new Map();
  /** Returns the processes that still run. Finds new ones as long as one process of the family runs. */
  const look = () => {
    const all = allProcesses();
    const now = new Map(all.map((each) => [each.pid, each]));
    for (const [each, started] of known) if (now.get(each)?.started !== started) known.delete(each);
    for (const each of familyOf([pid, ...known.keys()], all)) known.set(each.pid, each.started);
    return [...known.keys()];
  };
  look();
  send(pid, signal);
  const end = Date.now() + graceMs;
  while (look().length > 0 && Date.now() < end) await pause(LOOK_INTERVAL_MS);
  const killedBy = Date.now() + KILL_LIMIT_MS;
  for (let left = look(); left.length > 0 && Date.now() < killedBy; left = look()) {
    for (const each of left) send(each, 'SIGKILL');
    await pause(LOOK_INTERVAL_MS);
  }
}
