import type { SessionLimits } from '../../platform/session-limits.js';
import type { ProcessUse } from './session-processes.js';

/** Resources that a session can exceed. */
export type Resource = 'memory' | 'processes' | 'disk';

/** Decision about a session's use of resources. */
export type Verdict =
  | { do: 'nothing' }
  /** End the process of a page. */
  | { do: 'end-page'; pid: number; resource: Resource }
  | { do: 'end-session'; resource: Resource };

/**
 * Time after which a session that still exceeds a limit is ended. Milliseconds. Until then, its pages are
 * ended one after the other, if it has any.
 */
export const PATIENCE_MS = 10_000;
/**
 * Maximum number of pages that are ended within {@link ENDED_PAGES_WINDOW_MS}. If the session exceeds the
 * limit once more, it is ended.
 */
export const MAX_ENDED_PAGES = 5;
/**
 * Time window in which ended pages are counted. Milliseconds. On a busy machine, a page needs 10 to 20 s to
 * load again and to use 600 MB. Six such rounds must fit into the window. Otherwise a page that uses too much
 * after each load would be ended and loaded again forever.
 */
export const ENDED_PAGES_WINDOW_MS = 180_000;

/**
 * Decides how to react if a session exceeds a limit. First, the pages with the highest use are ended, one
 * after the other. If that does not help, the session is ended.
 */
export class LimitKeeper {
  /** Time at which the session began to exceed a limit. Undefined while it exceeds none. */
  #since: number | undefined;
  #ended: number[] = [];
  /** Id of the page process that was ended last. */
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
    this.#ended = this.#ended.filter((time) => now - time < ENDED_PAGES_WINDOW_MS);
    if (now - this.#since >= PATIENCE_MS || this.#ended.length >= MAX_ENDED_PAGES)
      return { do: 'end-session', resource };
    // A busy machine needs time to free the memory of an ended process. Meanwhile no other process is ended.
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
