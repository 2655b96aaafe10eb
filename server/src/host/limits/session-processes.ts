import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Resources that one process of a session uses. */
export interface ProcessUse {
  pid: number;
  /** Process id of the parent. */
  parent: number;
  /**
   * Resident memory, without the pages of files and without shared memory. Memory that the process has
   * inherited by a fork also counts. Bytes.
   */
  memoryBytes: number;
  /** Number of its threads. */
  tasks: number;
  /** Processor time of all its threads, in kernel ticks: a hundred per second. */
  ticks: number;
  /**
   * True if a signal has stopped the process (`T` in proc(5)). A debugger's stop (`t`) and a frozen control
   * group do not count.
   */
  stopped: boolean;
  /**
   * True if the process has ended and its parent has not collected it yet (`Z` in proc(5)). Chromium leaves
   * some of its processes in that state.
   */
  zombie: boolean;
}

/** Number of checks after which the parents are read again, because process ids are reused. */
const LOOKS_PER_FAMILY = 30;
/** Positions in `/proc/<pid>/stat` after the name, see proc(5). */
const [PARENT, USER_TICKS, SYSTEM_TICKS, THREADS] = [1, 11, 12, 17];

/** Content of `/proc/<pid>/stat` after the name. */
interface Stat {
  /** A letter, see proc(5). */
  state: string;
  /** All fields as numbers. The state, which is a letter, becomes NaN. */
  fields: number[];
}

/**
 * A process with its descendants, and their use of resources. Remembers the parent of each process for
 * {@link LOOKS_PER_FAMILY} checks, so that a check takes only half a millisecond, even with many processes on
 * the machine. If a parent dies, the first process of the sandbox, which is also a descendant, becomes the
 * new parent. So the parent of a process is read again when its remembered parent is missing. Otherwise a
 * compromised browser could hide its memory.
 */
export class SessionProcesses {
  /** Parents by process. */
  readonly #parents = new Map<number, number>();
  readonly #pageBytes: number;
  #looks = 0;

  /** @param proc directory of the kernel's process information */
  constructor(
    private readonly root: number,
    private readonly proc = '/proc',
  ) {
    this.#pageBytes = pageBytes(proc, root);
  }

  /** Returns the use of the root process and of all its descendants. */
  look(): ProcessUse[] {
    if (this.#looks++ % LOOKS_PER_FAMILY === 0) this.#parents.clear();
    const pids = new Set(namesIn(this.proc).map(Number).filter(Number.isInteger));
    for (const [pid, parent] of this.#parents)
      if (!pids.has(pid) || (parent > 0 && !pids.has(parent))) this.#parents.delete(pid);
    for (const pid of pids) {
      if (this.#parents.has(pid)) continue;
      const parent = this.#stat(pid)?.fields[PARENT];
      if (parent !== undefined) this.#parents.set(pid, parent);
    }
    return [...pids].filter((pid) => this.#descends(pid)).flatMap((pid) => this.#use(pid) ?? []);
  }

  /**
   * True if a process runs web pages. Processes of extensions do not count. Reads the command line of the
   * process.
   */
  runsPages(pid: number): boolean {
    const line = `\0${read(join(this.proc, String(pid), 'cmdline')) ?? ''}\0`;
    return /[\s\0]--type=renderer[\s\0]/.test(line) && !/[\s\0]--extension-process[\s\0]/.test(line);
  }

  #descends(pid: number): boolean {
    let at: number | undefined = pid;
    for (let steps = 0; at !== undefined && at > 1; steps++) {
      if (at === this.root) return true;
      // If process ids were reused, the remembered parents can form a circle. Then the next check reads all
      // parents again.
      if (steps > this.#parents.size) {
        this.#looks = 0;
        return false;
      }
      at = this.#parents.get(at);
    }
    return false;
  }

  #use(pid: number): ProcessUse | undefined {
    const stat = this.#stat(pid);
    const [, resident = 0, shared = 0] =
      read(join(this.proc, String(pid), 'statm'))
        ?.split(' ')
        .map(Number) ?? [];
    if (!stat) return undefined;
    const { state, fields } = stat;
    const ticks = (fields[USER_TICKS] ?? 0) + (fields[SYSTEM_TICKS] ?? 0);
    const memoryBytes = (resident - shared) * this.#pageBytes;
    const [parent, tasks] = [fields[PARENT] ?? 0, fields[THREADS] ?? 0];
    return { pid, parent, memoryBytes, tasks, ticks, stopped: state === 'T', zombie: state === 'Z' };
  }

  /**
   * Reads the state of a process. Undefined if the process has ended. Searches for the last bracket, because
   * the name in front of it may itself contain blanks and brackets.
   */
  #stat(pid: number): Stat | undefined {
    const text = read(join(this.proc, String(pid), 'stat'));
    const words = text?.slice(text.lastIndexOf(')') + 2).split(' ');
    return words && { state: words[0] ?? '', fields: words.map(Number) };
  }
}

/**
 * True if a process is Chromium's main process, which starts all other processes.
 *
 * @param proc directory of the kernel's process information
 */
export function isBrowser(pid: number, proc = '/proc'): boolean {
  const line = read(join(proc, String(pid), 'cmdline')) ?? '';
  return /^\S*\/chromium[\s\0]/.test(line) && !/[\s\0]--type=/.test(line);
}

/**
 * Returns the size of a memory page in bytes. Calculates it from the size of a process, which the kernel
 * reports in kilobytes and in pages.
 */
function pageBytes(proc: string, pid: number): number {
  const kilobytes = Number(/^VmSize:\s+(\d+)/m.exec(read(join(proc, String(pid), 'status')) ?? '')?.[1]);
  const pages = Number(read(join(proc, String(pid), 'statm'))?.split(' ')[0]);
  const bytes = 2 ** Math.round(Math.log2((kilobytes * 1024) / pages));
  return Number.isFinite(bytes) ? bytes : 4_096;
}

/**
 * Lists a directory. Returns an empty list if this process has too many open files. A later check can still
 * succeed.
 */
function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Reads a file of `/proc`. Undefined if the process has ended. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
