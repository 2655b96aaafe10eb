import type { Clock, Timer } from './clock.js';
import { processStatus } from './proc.js';
import { WATCH_INTERVAL_MS } from './watchdog.js';

/**
 * Checks in a row that must find the process stopped. Together at least 4 s: an operator may stop and
 * continue a session for a moment.
 */
export const STOPPED_LOOKS = 3;
/** If a check is this many milliseconds late, this process itself was delayed. Such a check is ignored. */
const LATE_MS = 1_000;
/**
 * Time in milliseconds within which a process that is stopped again is left to the watchdog, which ends it.
 */
export const RELAPSE_MS = 60_000;

/** A process to watch. */
export interface WatchedProcess {
  clock: Clock;
  pid: number;
  /** Called when the process was stopped by a signal and is continued. */
  onContinued: () => void;
  /** True if a signal has stopped the process. Default: reads `/proc`. */
  isStopped?: (pid: number) => boolean;
  /** Continues the process. Default: sends SIGCONT. */
  proceed?: (pid: number) => void;
}

/** Continues a process of the service that a signal has stopped, so that the stop causes no loss. */
export class StoppedWatch {
  #timer: Timer | undefined;
  #looks = 0;
  #continuedAt: number | undefined;
  #stopped = false;

  private constructor(private readonly watched: WatchedProcess) {}

  static start(watched: WatchedProcess): StoppedWatch {
    const watch = new StoppedWatch(watched);
    watch.#schedule();
    return watch;
  }

  /** Safe to call twice. */
  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  #schedule(): void {
    if (this.#stopped) return;
    const { clock } = this.watched;
    const expected = clock.now() + WATCH_INTERVAL_MS;
    this.#timer = clock.setTimeout(() => {
      this.#look(clock.now(), clock.now() - expected >= LATE_MS);
      this.#schedule();
    }, WATCH_INTERVAL_MS);
  }

  #look(now: number, late: boolean): void {
    const { pid, isStopped = isStoppedBySignal, proceed = sendContinue, onContinued } = this.watched;
    if (!isStopped(pid)) this.#looks = 0;
    else if (!late) this.#looks += 1;
    if (this.#looks < STOPPED_LOOKS) return;
    if (this.#continuedAt !== undefined && now - this.#continuedAt < RELAPSE_MS) return;
    this.#looks = 0;
    this.#continuedAt = now;
    proceed(pid);
    onContinued();
  }
}

function isStoppedBySignal(pid: number): boolean {
  return processStatus(pid)?.field('State').startsWith('T') ?? false;
}

function sendContinue(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // The process has ended in the meantime.
  }
}
