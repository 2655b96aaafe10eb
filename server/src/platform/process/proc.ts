import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** One process as described by `/proc/<pid>/status`, see proc(5). */
export interface ProcessStatus {
  pid: number;
  /** True for a zombie: an ended process without resources, which only its parent can remove. */
  zombie: boolean;
  /** Its real, effective, saved and file system user id. */
  uids: readonly number[];
  /** Returns the value of another line, by the line's name. */
  field: (name: string) => string;
}

/**
 * Returns every process of the machine. Reads synchronously, because this costs less: 7 ms of processor time
 * for 200 processes, instead of 40 ms for reads in other threads.
 *
 * @param skipped ids of processes that are not read
 */
export function* processes(skipped?: ReadonlySet<number>): Generator<ProcessStatus> {
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry) || skipped?.has(Number(entry))) continue;
    const status = processStatus(Number(entry));
    if (status) yield status;
  }
}

/** Returns one process, or undefined if it has ended. */
export function processStatus(pid: number): ProcessStatus | undefined {
  const text = read(`/proc/${pid}/status`);
  if (text === undefined) return undefined;
  const field = (name: string) => new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(text)?.[1] ?? '';
  return { pid, zombie: /^[ZX]/.test(field('State')), uids: field('Uid').split(/\s+/).map(Number), field };
}

/**
 * Returns the command line of a process. A NUL precedes and follows each argument. If the program has
 * rewritten its command line, blanks separate the arguments.
 */
export function commandLine(pid: number): string {
  return `\0${read(`/proc/${pid}/cmdline`) ?? ''}\0`;
}

/** Returns the working directory of a process. Empty if it has ended, or belongs to another user. */
export function workingDirectory(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch (error) {
    if (GONE.includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

/**
 * Returns how many files this process may have open, see getrlimit(2). A limit is undefined if there is none,
 * or if the system does not report it.
 *
 * @param limits content of `/proc/self/limits`
 */
export function openFileLimits(limits = readFileSync('/proc/self/limits', 'utf8')): {
  soft: number | undefined;
  hard: number | undefined;
} {
  const [, soft, hard] = /^Max open files +(\S+) +(\S+)/m.exec(limits) ?? [];
  const numberOf = (text = '') => (/^\d+$/.test(text) ? Number(text) : undefined);
  return { soft: numberOf(soft), hard: numberOf(hard) };
}

/**
 * Returns the limit of processes and threads of this user. Undefined if there is none.
 *
 * @param limits content of `/proc/self/limits`
 */
export function processLimit(limits = readFileSync('/proc/self/limits', 'utf8')): number | undefined {
  const soft = /^Max processes +(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? undefined : Number(soft);
}

/**
 * Returns the text of a file of /proc. Undefined if the process has just ended, or is hidden from this user.
 * Throws if this process itself cannot read the file, for example because of too many open files. Otherwise a
 * running process would look like an ended one.
 */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (GONE.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/**
 * Error codes, see proc(5): the directory or its process is gone, or a process of another user is hidden
 * (`hidepid`).
 */
const GONE = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'];
