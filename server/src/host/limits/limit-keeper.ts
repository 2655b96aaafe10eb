import type { SessionLimits } from '../../platform/session-limits.js';
import type { ProcessUse } from './session-processes.js';

/** What a session can use too much of. */
export type Resource = 'memory' | 'processes' | 'disk';

/** What is to be done about what a session uses. */
export type Verdict =
  | { do: 'nothing' }
  /** Ends the process of a page. */
  | { do: 'end-page'; pid: number; resource: Resource }
  | { do: 'end-session'; resource: Resource };

/** So long a session may be beyond a limit while its pages are ended, or when none is left to end. */
export const PATIENCE_MS = 10_000;
/** Pages that are ended within {@link WINDOW_MS}; who goes beyond the limit once more then is ended with the session. */
export const MAX_ENDED_PAGES = 5;
const WINDOW_MS = 60_000;

/**
 * Judges what a session uses: beyond a limit the page that uses most is ended, again and again, and the session only when that does
 * not help.
 */
export class LimitKeeper {
  /** When the session went beyond a limit. */
  #since: number | undefined;
  #ended: number[] = [];
  /** The page that was ended last. */
  #dying: number | undefined;

  constructor(
    private readonly limits: Pick<SessionLimits, 'memoryBytes' | 'processes'>,
    private readonly runsPages: (pid: number) => boolean,
  ) {}

  /** @param now milliseconds */
  judge(uses: readonly ProcessUse[], now: number): Verdict {
    const { memoryBytes, processes } = this.limits;
    const memory = (use: ProcessUse) => use.memoryBytes;
    const tasks = (use: ProcessUse) => use.tasks;
    if (sum(uses, memory) > memoryBytes) return this.#beyond('memory', uses, memory, now);
    if (sum(uses, tasks) > processes) return this.#beyond('processes', uses, tasks, now);
    [this.#since, this.#dying] = [undefined, undefined];
    return { do: 'nothing' };
  }

  #beyond(
    resource: Resource,
    uses: readonly ProcessUse[],
    measure: (use: ProcessUse) => number,
    now: number,
  ): Verdict {
    this.#since ??= now;
    this.#ended = this.#ended.filter((time) => now - time < WINDOW_MS);
    if (now - this.#since >= PATIENCE_MS || this.#ended.length >= MAX_ENDED_PAGES)
      return { do: 'end-session', resource };
    // A busy machine takes its time to free what a process had: whoever is largest meanwhile is not the one to end.
    if (uses.some(({ pid, memoryBytes }) => pid === this.#dying && memoryBytes > 0)) return { do: 'nothing' };
    const largest = [...uses].sort((a, b) => measure(b) - measure(a)).find((use) => this.runsPages(use.pid));
    if (!largest) return { do: 'nothing' };
    this.#ended.push(now);
    this.#dying = largest.pid;
    return { do: 'end-page', pid: largest.pid, resource };
  }
}

function sum(uses: readonly ProcessUse[], measure: (use: ProcessUse) => number): number {
  return uses.reduce((total, use) => total + measure(use), 0);
}
