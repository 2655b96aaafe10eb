import type { Clock } from '../time/clock.js';
import { repeat, type Repetition } from '../time/repeat.js';

/** Interval of the checks in milliseconds. */
export const WATCH_INTERVAL_MS = 2_000;
/**
 * Number of consecutive checks that must find the same request unanswered. Together they take 12 s. So a
 * program without processor time for some seconds is not ended, and a hanging program is ended within 15 s.
 */
export const MISSED_LOOKS = 6;
/**
 * If a check is this many milliseconds late, this process itself had no processor time. Such a check is
 * ignored.
 */
const LATE_MS = 1_000;

/** Subject of a {@link Watchdog}. */
export interface Watched {
  clock: Clock;
  /**
   * Sends a request. Resolves when there is an answer. A rejection also counts as an answer, because a
   * program that refuses does not hang. The promise may stay pending forever.
   */
  ask(): Promise<unknown>;
  /** Number of checks that may find the same request unanswered. Default: {@link MISSED_LOOKS}. */
  looks?: number;
  /** Called once, with the milliseconds without an answer. Then the watch ends. */
  onHang(milliseconds: number): void;
}

/**
 * Detects that a program no longer answers. Only one request is open at a time. The watchdog counts checks
 * and does not measure time. So if the watchdog's own process is stopped or slow, the watched program does
 * not count as hanging.
 */
export class Watchdog {
  readonly #repetition: Repetition;
  /** Number of checks that found the request unanswered. Undefined if it is answered. */
  #missed: number | undefined;
  #asked = 0;

  private constructor(private readonly watched: Watched) {
    this.#repetition = repeat(watched.clock, { every: WATCH_INTERVAL_MS }, (late) => this.#look(late));
  }

  /** Begins to watch. The first request is sent after one interval. */
  static start(watched: Watched): Watchdog {
    return new Watchdog(watched);
  }

  /** Safe to call twice. */
  stop(): void {
    this.#repetition.stop();
  }

  #look(late: number): void {
    const now = this.watched.clock.now();
    if (this.#missed === undefined) this.#ask(now);
    else if (late < LATE_MS) this.#missed += 1;
    if (this.#missed !== (this.watched.looks ?? MISSED_LOOKS)) return;
    this.stop();
    this.watched.onHang(now - this.#asked);
  }

  #ask(now: number): void {
    this.#missed = 0;
    this.#asked = now;
    const answered = () => (this.#missed = undefined);
    this.watched.ask().then(answered, answered);
  }
}
