import type { Clock } from '../time/clock.js';
import { processStatus } from './proc.js';
import { repeat, type Repetition } from '../time/repeat.js';
import { WATCH_INTERVAL_MS } from './watchdog.js';

/**
 * Number of consecutive checks that must find the process stopped before it is continued. Three checks take
 * at least 4 s, so that an operator can stop a session for a moment.
 */
export const STOPPED_LOOKS = 3;
/** If a check is this many milliseconds late, this process itself was delayed. Such a check is ignored. */
const LATE_MS = 1_000;
/**
 * Milliseconds after a process was continued. If it is stopped again in this time, it is not continued. The
 * watchdog then ends it, because it does not answer.
 */
export const RELAPSE_MS = 60_000;

/** A process to watch. */
export interface WatchedProcess {
  clock: Clock;
  pid: number;
  /** Called after a stopped process was continued. */
  onContinued: () => void;
  /** True if a signal has stopped the process. A check that throws is ignored. Default: reads `/proc`. */
  isStopped?: (pid: number) => boolean;
  /** Continues the process. Default: sends SIGCONT. */
  proceed?: (pid: number) => void;
}

/**
 * Continues a process of the service that a signal has stopped. Otherwise the watchdog would end the process.
 */
export class StoppedWatch {
  readonly #repetition: Repetition;
  #looks = 0;
  #continuedAt: number | undefined;

  private constructor(private readonly watched: WatchedProcess) {
    const { clock } = watched;
    // A service without free file descriptors cannot read `/proc`. The next check tries again.
    const onError = () => undefined;
    this.#repetition = repeat(clock, { every: WATCH_INTERVAL_MS, onError }, (late) =>
      this.#look(clock.now(), late >= LATE_MS),
    );
  }

  static start(watched: WatchedProcess): StoppedWatch {
    return new StoppedWatch(watched);
  }

  /** Safe to call twice. */
  stop(): void {
    this.#repetition.stop();
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
