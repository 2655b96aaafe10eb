import { systemClock, type Clock, type Timer } from '../../../platform/time/clock.js';
import { TokenBucket } from '../../../platform/rates/token-bucket.js';

/** Maximum number of calls in progress per caller. */
export const MAX_OPEN_CALLS = 32;
/**
 * Maximum number of a caller's calls that wait for their turn. Only calls that do not count as calls in
 * progress reach this limit. They need it because each waiting call keeps its arguments in memory.
 */
export const MAX_WAITING_CALLS = 200;
/** Rate limit for the total cost of one caller's calls. */
const PACE = { perSecond: 100, burst: 200 };

/**
 * Rate limit for calls that start a process. Starting a process uses a core for a fifth of a second, and the
 * frames of other viewers need this processor time.
 */
const PROCESS_PACE = { perSecond: 1, burst: 6 };

/** Cost of a call for the browser. */
export interface CallCost {
  /** Number of units that the call takes from the caller's rate limit. A simple query costs 1. */
  work: number;
  /** True if the call starts a process. */
  startsProcess?: true;
  /**
   * True if the handler merges all waiting calls of this kind into one. They do not count as calls in
   * progress.
   */
  merges?: true;
  /** True if the call only waits for an event. It does not count as a call in progress. */
  waits?: true;
}

/** Cost of a simple query. */
export const QUESTION: CallCost = { work: 1 };
/** Cost of a call that waits for an event. Its handler limits the number of waiting calls. */
export const WAIT: CallCost = { work: 1, waits: true };
/** Cost of a call that keeps the browser busy. */
export const WORK: CallCost = { work: 5 };
/** Cost of a call that opens a tab. */
export const PROCESS: CallCost = { work: 5, startsProcess: true };

interface Waiting {
  cost: CallCost;
  begin: (may: boolean) => void;
}

/**
 * The calls of one caller. They start in order. Their rate and the number of concurrent calls are limited, so
 * that the browser is not overloaded.
 */
export class CallLane {
  readonly #pace: TokenBucket;
  readonly #processPace: TokenBucket;
  readonly #waiting: Waiting[] = [];
  #open = 0;
  #timer: Timer | undefined;

  constructor(private readonly clock: Clock = systemClock) {
    this.#pace = new TokenBucket(PACE, clock);
    this.#processPace = new TokenBucket(PROCESS_PACE, clock);
  }

  /**
   * Admits a call. Call {@link leave} when the call has ended. Returns false if too many calls are in
   * progress or wait for their turn.
   */
  enter({ merges, waits }: CallCost): boolean {
    if (merges || waits) return this.#waiting.length < MAX_WAITING_CALLS;
    if (this.#open >= MAX_OPEN_CALLS) return false;
    this.#open++;
    return true;
  }

  leave({ merges, waits }: CallCost): void {
    if (!merges && !waits) this.#open--;
  }

  /**
   * Returns true, or resolves to true, when this call may start. Resolves to false if its caller has left.
   */
  turn(cost: CallCost): true | Promise<boolean> {
    if (this.#waiting.length === 0 && this.#take(cost)) return true;
    return new Promise((begin) => {
      this.#waiting.push({ cost, begin });
      this.#schedule();
    });
  }

  /** Refuses all waiting calls, because the caller has left. */
  close(): void {
    this.#timer?.cancel();
    for (const { begin } of this.#waiting.splice(0)) begin(false);
  }

  /** Counts a call. Returns false, and counts nothing, if it must wait. */
  #take(cost: CallCost): boolean {
    if (this.#wait(cost) > 0) return false;
    if (cost.startsProcess) this.#processPace.take();
    return this.#pace.take(cost.work);
  }

  /** Returns the milliseconds that a call must wait. */
  #wait({ work, startsProcess }: CallCost): number {
    const wait = this.#pace.wait(work);
    return startsProcess ? Math.max(wait, this.#processPace.wait()) : wait;
  }

  #schedule(): void {
    const [first] = this.#waiting;
    if (!first || this.#timer) return;
    this.#timer = this.clock.setTimeout(
      () => {
        this.#timer = undefined;
        this.#beginThose();
      },
      Math.ceil(this.#wait(first.cost)),
    );
  }

  #beginThose(): void {
    for (let first = this.#waiting[0]; first && this.#take(first.cost); first = this.#waiting[0]) {
      this.#waiting.shift();
      first.begin(true);
    }
    this.#schedule();
  }
}
