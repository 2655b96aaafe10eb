import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What one process of a session uses. */
export interface ProcessUse {
  pid: number;
  /** Memory that it shares with no file and no other process, but for what it was forked with. Bytes. */
  memoryBytes: number;
  /** Its threads. */
  tasks: number;
  /** Processor time of all its threads, in ticks of the kernel: a hundred a second. */
  ticks: number;
}

/** After so many looks it is asked anew who descends from whom: numbers of processes are used again. */
const LOOKS_PER_FAMILY = 30;
/** Where `/proc/<pid>/stat` has these behind the name, see proc(5). */
const [PARENT, USER_TICKS, SYSTEM_TICKS, THREADS] = [1, 11, 12, 17];

/**
 * The processes that descend from one, and what they use. Who descends is asked once for each: it changes only from a dead parent to
 * the first process of the sandbox, which descends as well. So a look takes half a millisecond, however many run on the machine.
 */
export class SessionProcesses {
  /** Parents by process. */
  readonly #parents = new Map<number, number>();
  readonly #pageBytes: number;
  #looks = 0;

  /** @param proc where the kernel tells of processes */
  constructor(
    private readonly root: number,
    private readonly proc = '/proc',
  ) {
    this.#pageBytes = pageBytes(proc, root);
  }

  /** All of them, the first one too. */
  look(): ProcessUse[] {
    if (this.#looks++ % LOOKS_PER_FAMILY === 0) this.#parents.clear();
    const pids = new Set(namesIn(this.proc).map(Number).filter(Number.isInteger));
    for (const pid of this.#parents.keys()) if (!pids.has(pid)) this.#parents.delete(pid);
    for (const pid of pids) {
      if (this.#parents.has(pid)) continue;
      const parent = this.#stat(pid)?.[PARENT];
      if (parent !== undefined) this.#parents.set(pid, parent);
    }
    return [...pids].filter((pid) => this.#descends(pid)).flatMap((pid) => this.#use(pid) ?? []);
  }

  /** Whether a process runs pages, and not our own extension: its command line says so when it has begun to. */
  runsPages(pid: number): boolean {
    const line = `\0${read(join(this.proc, String(pid), 'cmdline')) ?? ''}\0`;
    return /[\s\0]--type=renderer[\s\0]/.test(line) && !/[\s\0]--extension-process[\s\0]/.test(line);
  }

  #descends(pid: number): boolean {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = this.#parents.get(at))
      if (at === this.root) return true;
    return false;
  }

  #use(pid: number): ProcessUse | undefined {
    const stat = this.#stat(pid);
    const [, resident = 0, shared = 0] =
      read(join(this.proc, String(pid), 'statm'))
        ?.split(' ')
        .map(Number) ?? [];
    if (!stat) return undefined;
    const ticks = (stat[USER_TICKS] ?? 0) + (stat[SYSTEM_TICKS] ?? 0);
    return { pid, memoryBytes: (resident - shared) * this.#pageBytes, tasks: stat[THREADS] ?? 0, ticks };
  }

  /** What stands behind the name, which may hold anything; its state comes first and is no number. */
  #stat(pid: number): number[] | undefined {
    const text = read(join(this.proc, String(pid), 'stat'));
    return text
      ?.slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
  }
}

/** Whether a process is Chromium itself: of all its processes the one that starts the others. */
export function isBrowser(pid: number): boolean {
  const line = read(`/proc/${pid}/cmdline`) ?? '';
  return /^\S*\/chromium[\s\0]/.test(line) && !/[\s\0]--type=/.test(line);
}

/** The size of a page of memory: what a process has in bytes and in pages. */
function pageBytes(proc: string, pid: number): number {
  const kilobytes = Number(/^VmSize:\s+(\d+)/m.exec(read(join(proc, String(pid), 'status')) ?? '')?.[1]);
  const pages = Number(read(join(proc, String(pid), 'statm'))?.split(' ')[0]);
  const bytes = 2 ** Math.round(Math.log2((kilobytes * 1024) / pages));
  return Number.isFinite(bytes) ? bytes : 4_096;
}

/** None when we may open no more files; the next look finds them again. */
function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Undefined when the process has ended. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
