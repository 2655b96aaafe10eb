import type { Clock, Timer } from './clock.js';

/** Between two looks. */
export const WATCH_INTERVAL_MS = 2_000;
/**
 * Looks in a row that find the same question unanswered. Together 12 s: a program that a busy machine starves for some seconds
 * lives, and one that hangs is ended within 15 s.
 */
export const MISSED_LOOKS = 6;
/** A look that comes this much late was starved itself, and says nothing of others. */
const LATE_MS = 1_000;

/** What a {@link Watchdog} watches. */
export interface Watched {
  clock: Clock;
  /** Resolves when there is an answer. A rejection is one as well: whoever refuses does not hang. May never settle. */
  ask(): Promise<unknown>;
  /** Looks that may find the same question open, {@link MISSED_LOOKS} when it is left out. */
  looks?: number;
  /** Told once, with the milliseconds without an answer; the watch is over then. */
  onHang(milliseconds: number): void;
}

/**
 * Notices when somebody does not answer any more. One question is under way at a time, and looks are counted, not time: while
 * the watcher itself is stopped or starved, nothing is held against the watched.
 */
export class Watchdog {
  #timer: Timer | undefined;
  #expected = 0;
  /** Looks that found the question open; undefined: it is answered. */
  #missed: number | undefined;
  #asked = 0;
  #stopped = false;

  private constructor(private readonly watched: Watched) {}

  /** Begins to watch; the first question comes after an interval. */
  static start(watched: Watched): Watchdog {
    const watchdog = new Watchdog(watched);
    watchdog.#schedule();
    return watchdog;
  }

  /** Safe to call twice. */
  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  #schedule(): void {
    if (this.#stopped) return;
    const { clock } = this.watched;
    this.#expected = clock.now() + WATCH_INTERVAL_MS;
    this.#timer = clock.setTimeout(() => this.#look(), WATCH_INTERVAL_MS);
  }

  #look(): void {
    const now = this.watched.clock.now();
    if (this.#missed === undefined) this.#ask(now);
    else if (now - this.#expected < LATE_MS) this.#missed += 1;
    if (this.#missed === (this.watched.looks ?? MISSED_LOOKS)) {
      this.stop();
      this.watched.onHang(now - this.#asked);
    } else this.#schedule();
  }

  #ask(now: number): void {
    this.#missed = 0;
    this.#asked = now;
    const answered = () => (this.#missed = undefined);
    this.watched.ask().then(answered, answered);
  }
}
