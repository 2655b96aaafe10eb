import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessUse } from './session-processes.js';

/** If a process uses at least this share of a core, its threads are checked. */
const BUSY_PROCESS_SHARE = 0.2;
/** A busy thread ran or waited to run for at least this share of the time. */
const WANTED_SHARE = 0.9;
/**
 * A busy thread yields the processor at most this often per second. A thread that paints pictures yields it
 * after each picture.
 */
const MAX_PAUSES_PER_SECOND = 20;
/** Kernel's unit of processor time in `/proc/<pid>/stat`, see proc(5). */
const TICKS_PER_SECOND = 100;
/** Number of consecutive checks that must find a thread busy, before its session counts as busy. */
export const LOOKS_TO_BUSY = 3;
/** Number of consecutive checks without a busy thread, after which the session does not count as busy. */
export const LOOKS_TO_REST = 5;

interface ThreadUse {
  /** Milliseconds for which the thread ran or waited to run. */
  wanted: number;
  pauses: number;
}

interface Seen {
  at: number;
  ticks: ReadonlyMap<number, number>;
  threads: ReadonlyMap<string, ThreadUse>;
}

/** A thread that never pauses. */
export interface BusyThread {
  pid: number;
  tid: number;
}

/**
 * Finds threads that compute without a pause, such as a worker in an endless loop. A thread that paints all
 * the time can use as much processor time, but it pauses after each picture.
 */
export class BusyThreads {
  #last: Seen = { at: 0, ticks: new Map(), threads: new Map() };
  readonly #looks = new Map<number, number>();
  #rested = LOOKS_TO_REST;

  constructor(private readonly proc = '/proc') {}

  /**
   * True after {@link LOOKS_TO_BUSY} consecutive checks have found a thread busy. False again after
   * {@link LOOKS_TO_REST} consecutive checks without such a thread.
   */
  get busy(): boolean {
    return this.#rested < LOOKS_TO_REST;
  }

  /**
   * Checks the threads. Returns those that were busy in each of the last {@link LOOKS_TO_BUSY} checks.
   *
   * @param now milliseconds
   */
  look(uses: readonly ProcessUse[], now: number): BusyThread[] {
    const last = this.#last;
    const seconds = (now - last.at) / 1_000;
    const threads = new Map<string, ThreadUse>();
    const found = new Map<number, BusyThread>();
    for (const { pid, ticks } of uses) {
      const before = last.ticks.get(pid);
      if (before === undefined || (ticks - before) / TICKS_PER_SECOND < BUSY_PROCESS_SHARE * seconds)
        continue;
      for (const tid of this.#threads(pid).map(Number)) {
        const path = join(this.proc, `${pid}`, 'task', `${tid}`);
        const use = threadUse(path);
        if (!use) continue;
        threads.set(path, use);
        const earlier = last.threads.get(path);
        if (earlier && isBusy(earlier, use, seconds)) found.set(tid, { pid, tid });
      }
    }
    this.#last = { at: now, ticks: new Map(uses.map(({ pid, ticks }) => [pid, ticks])), threads };
    for (const tid of this.#looks.keys()) if (!found.has(tid)) this.#looks.delete(tid);
    for (const tid of found.keys()) this.#looks.set(tid, (this.#looks.get(tid) ?? 0) + 1);
    const busy = [...found.values()].filter(({ tid }) => (this.#looks.get(tid) ?? 0) >= LOOKS_TO_BUSY);
    this.#rested = busy.length > 0 ? 0 : Math.min(this.#rested + 1, LOOKS_TO_REST);
    return busy;
  }

  #threads(pid: number): string[] {
    try {
      return readdirSync(join(this.proc, `${pid}`, 'task'));
    } catch {
      return [];
    }
  }
}

function isBusy(before: ThreadUse, now: ThreadUse, seconds: number): boolean {
  const wanted = (now.wanted - before.wanted) / 1_000;
  return wanted >= WANTED_SHARE * seconds && now.pauses - before.pauses <= MAX_PAUSES_PER_SECOND * seconds;
}

/** Reads a thread's use. Undefined if the thread has ended, or if the kernel does not report its use. */
function threadUse(path: string): ThreadUse | undefined {
  try {
    // Nanoseconds of running, and of waiting to run.
    const [ran = 0, waited = 0] = readFileSync(join(path, 'schedstat'), 'utf8').split(' ').map(Number);
    const status = readFileSync(join(path, 'status'), 'utf8');
    const pauses = /^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1];
    if (pauses === undefined) return undefined;
    return { wanted: (ran + waited) / 1e6, pauses: Number(pauses) };
  } catch {
    return undefined;
  }
}
