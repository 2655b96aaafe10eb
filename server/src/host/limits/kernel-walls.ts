import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionLimits } from '../../platform/session-limits.js';
import { isBrowser, type ProcessUse } from './session-processes.js';

/**
 * Scores for `oom_score_adj` of proc(5). If the machine or a control group has no memory left, the kernel
 * ends the process with the highest score first. Chromium itself gives its renderers 300. The service keeps
 * the score that it was started with, usually 0.
 */
export const HOST_SCORE = 100;
export const BROWSER_SCORE = 200;

/**
 * Number of checks after which the command lines are read again. They can change: a new process may not run
 * the browser program yet, and process ids are reused.
 */
export const LOOKS_PER_COMMAND = 10;

/**
 * Raises the score of this process. Its later children inherit the score. The kernel ends them before
 * processes with a lower score. Does not change a score that is already higher.
 *
 * @param file file with the score of a process, by default of this process
 */
export function becomeExpendable(score: number, file = '/proc/self/oom_score_adj'): void {
  try {
    if (Number(readFileSync(file, 'utf8')) < score) writeFileSync(file, String(score), { flag: 'r+' });
  } catch {
    // If the score cannot be set, the kernel ends the largest process first.
  }
}

/**
 * Sets the score of Chromium's main process again at each check, because Chromium changes it back to the
 * value that it had at the start.
 */
export class BrowserScore {
  /**
   * Results of {@link isBrowser}, by process id. They are remembered, because {@link isBrowser} takes longer
   * than setting the score.
   */
  readonly #browsers = new Map<number, boolean>();
  #looks = 0;

  /** @param proc directory of the kernel's process information */
  constructor(private readonly proc = '/proc') {}

  look(uses: readonly ProcessUse[]): void {
    if (this.#looks++ % LOOKS_PER_COMMAND === 0) this.#browsers.clear();
    for (const { pid } of uses) {
      const known = this.#browsers.get(pid) ?? isBrowser(pid, this.proc);
      this.#browsers.set(pid, known);
      if (known) becomeExpendable(BROWSER_SCORE, join(this.proc, String(pid), 'oom_score_adj'));
    }
  }
}

/** Returns the start of a command line that runs a program with this `oom_score_adj`. */
export function expendable(score: number): string[] {
  return ['choom', '--adjust', String(score), '--'];
}

/**
 * Bytes that a program may allocate beyond the session's memory limit before the kernel refuses. They are
 * needed because the kernel, unlike the host, counts whole thread stacks and allocated memory that was not
 * used yet. Chromium itself limits its renderers to 8 GB in the same way.
 */
const UNUSED_BYTES = 2 ** 30;

/**
 * Returns the start of a command line that runs the browser with a limit for each process's data. Without
 * this limit, a process could take gigabytes between two checks. The browser ignores SIGXFSZ. So if a file
 * exceeds its size limit, the write fails as on a full disk. Otherwise the signal would end the browser.
 */
export function browserWalls({ memoryBytes }: Pick<SessionLimits, 'memoryBytes'>): string[] {
  const bytes = memoryBytes + UNUSED_BYTES;
  return ['env', '--ignore-signal=XFSZ', 'prlimit', `--data=${bytes}:${bytes}`, '--'];
}
