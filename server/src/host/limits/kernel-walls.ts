import { readFileSync, writeFileSync } from 'node:fs';
import type { SessionLimits } from '../../platform/session-limits.js';
import { isBrowser, type ProcessUse } from './session-processes.js';

/**
 * Whom the kernel ends first when a machine or a group has no memory left, highest first: `oom_score_adj` of proc(5). Chromium gives
 * its renderers 300 itself; the service has what it was started with, usually 0.
 */
export const HOST_SCORE = 100;
export const BROWSER_SCORE = 200;

/** Lets the kernel end this process, and what it starts, before those of a lower score. One that has a higher score keeps it. */
export function becomeExpendable(score: number, file = '/proc/self/oom_score_adj'): void {
  try {
    if (Number(readFileSync(file, 'utf8')) < score) writeFileSync(file, String(score), { flag: 'r+' });
  } catch {
    // Without such scores the kernel ends the largest.
  }
}

/** Gives Chromium its score again: it takes back what it was started with. */
export class BrowserScore {
  /** What each process is; asked once, since it costs more than the score. */
  readonly #browsers = new Map<number, boolean>();

  look(uses: readonly ProcessUse[]): void {
    for (const { pid } of uses) {
      const known = this.#browsers.get(pid) ?? isBrowser(pid);
      this.#browsers.set(pid, known);
      if (known) becomeExpendable(BROWSER_SCORE, `/proc/${pid}/oom_score_adj`);
    }
  }
}

/** A command line that runs the program behind it with this score. */
export function expendable(score: number): string[] {
  return ['choom', '--adjust', String(score), '--'];
}

/**
 * What a program may have for its own data beyond the session's memory before the kernel refuses more: stacks of threads, and memory that
 * was asked for and not used yet, count here. Chromium itself sets such a limit for its renderers, of 8 GB.
 */
const UNUSED_BYTES = 2 ** 30;

/**
 * A command line that runs the browser behind it with a wall for each process's data: between two looks one could take gigabytes. A file
 * that would grow beyond the host's limit is an error like a full disk, and not a signal that ends the browser.
 */
export function browserWalls({ memoryBytes }: Pick<SessionLimits, 'memoryBytes'>): string[] {
  const bytes = memoryBytes + UNUSED_BYTES;
  return ['env', '--ignore-signal=XFSZ', 'prlimit', `--data=${bytes}:${bytes}`, '--'];
}
