import type { ProcessUse } from '../limits/session-processes.js';

/**
 * Milliseconds that a process may stay stopped. No part of a running session stops processes by signals, and
 * a frozen session is not checked. An operator needs this time to stop and continue all processes of a
 * session, one after the other.
 */
export const STOPPED_LIMIT_MS = 4_000;
/**
 * Maximum number of milliseconds that one check adds to the stopped time of a process. If more time has
 * passed since the previous check, the whole session or the machine was paused.
 */
const LOOK_LIMIT_MS = 1_500;
/** Milliseconds after a process was continued. If it is stopped again within this time, it is ended. */
export const RELAPSE_MS = 60_000;

/** A process that has been stopped for too long. */
export interface StoppedProcess {
  pid: number;
  /** Milliseconds for which it was seen stopped. */
  milliseconds: number;
  /**
   * `continue`: the process is continued by SIGCONT. `end`: it was continued before and is stopped again, so
   * it is ended.
   */
  remedy: 'continue' | 'end';
}

interface Observation {
  stoppedMs: number;
  continuedAt: number | undefined;
}

/**
 * Finds processes of a session that a signal has stopped. Their state in `/proc` shows this reliably. The
 * measurement of memory has already read the state. Processes that are busy, for example with an endless loop
 * of a page, have another state. Processes that hang for another reason are found because they do not answer
 * requests: see `part-watch.ts`, `FrameWatch` and `PageWatch`.
 */
export class StoppedProcesses {
  readonly #seen = new Map<number, Observation>();
  #looked: number | undefined;

  /**
   * Returns the processes to continue or to end.
   *
   * @param now milliseconds
   */
  look(uses: readonly ProcessUse[], now: number): StoppedProcess[] {
    const passed = Math.min(now - (this.#looked ?? now), LOOK_LIMIT_MS);
    this.#looked = now;
    const found: StoppedProcess[] = [];
    for (const { pid, stopped } of uses) {
      const before = this.#seen.get(pid);
      if (!stopped && before?.continuedAt === undefined) this.#seen.delete(pid);
      else {
        const observation = observe(before, stopped, passed, now);
        this.#seen.set(pid, observation);
        if (observation.stoppedMs >= STOPPED_LIMIT_MS) found.push(remedyFor(pid, observation, now));
      }
    }
    const pids = new Set(uses.map(({ pid }) => pid));
    for (const pid of this.#seen.keys()) if (!pids.has(pid)) this.#seen.delete(pid);
    return found;
  }
}

function observe(
  before: Observation | undefined,
  stopped: boolean,
  passed: number,
  now: number,
): Observation {
  const { stoppedMs = 0, continuedAt } = before ?? {};
  const recent = continuedAt !== undefined && now - continuedAt < RELAPSE_MS;
  return { stoppedMs: stopped ? stoppedMs + passed : 0, continuedAt: recent ? continuedAt : undefined };
}

function remedyFor(pid: number, observation: Observation, now: number): StoppedProcess {
  const { stoppedMs, continuedAt } = observation;
  observation.stoppedMs = 0;
  observation.continuedAt = now;
  return { pid, milliseconds: stoppedMs, remedy: continuedAt === undefined ? 'continue' : 'end' };
}
