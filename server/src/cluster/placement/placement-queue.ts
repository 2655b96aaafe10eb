import type { Clock, Timer } from '../../platform/time/clock.js';
import { withTimeout } from '../../platform/time/timeout.js';
import type { Chance } from '../retry-after.js';

/**
 * Maximum number of waiting create requests of one API key on this node. Further ones are refused at once.
 */
export const MAX_WAITING = 10;
/** Longest wait of a create request, in milliseconds. */
export const WAIT_MS = 10_000;
/** Average milliseconds between attempts, in a cluster of up to 100 nodes. */
const TRY_MS = 250;
/** Maximum milliseconds for which the other create requests wait for a running attempt. */
const ATTEMPT_MS = 3_000;

/** Result of an attempt: no room yet, or the result for the caller. */
export type Attempt<Result> = { room: false } | { room: true; result: Result };

interface Waiter {
  /**
   * Makes one attempt. Resolves to true if the create request is served and no longer waits. Never rejects.
   */
  serve(): Promise<boolean>;
  /** Refuses the create request. If an attempt is running, waits for its result. */
  refuse(): void;
}

/**
 * Queue of create requests while no node has room. Each API key has a short line of its own, and keys take
 * turns. So a key with many requests does not delay the requests of other keys. After a successful attempt,
 * the next attempt starts at once, otherwise after a pause. The queue waits at most {@link ATTEMPT_MS} for
 * one attempt. In a larger cluster, each node makes attempts less often. So all nodes together send at most
 * some hundreds of attempts per second to the database.
 */
export class PlacementQueue {
  readonly #lines = new Map<string, Waiter[]>();
  #timer: Timer | undefined;
  #trying = false;
  #closed = false;

  constructor(
    private readonly clock: Clock,
    /** Returns the number of nodes. */
    private readonly nodes: () => number,
    private readonly chance: Chance = Math.random,
  ) {}

  /** Number of waiting create requests. */
  get length(): number {
    return [...this.#lines.values()].reduce((sum, line) => sum + line.length, 0);
  }

  /**
   * Waits until `attempt` finds room. Call this method after a first attempt has found no room. Resolves to
   * undefined if the line of the key is full, at the timeout, or after {@link close}. Rejects with the error
   * of `attempt`.
   */
  wait<Result>(key: string, attempt: () => Promise<Attempt<Result>>): Promise<Result | undefined> {
    const line = this.#lines.get(key) ?? [];
    if (this.#closed || line.length >= MAX_WAITING) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      let late = false;
      let trying = false;
      const timer = this.clock.setTimeout(() => waiter.refuse(), WAIT_MS);
      const settle = (act: () => void) => {
        timer.cancel();
        this.#leave(key, waiter);
        act();
        return true;
      };
      const waiter: Waiter = {
        refuse: () => {
          late = true;
          timer.cancel();
          this.#leave(key, waiter);
          if (!trying) resolve(undefined);
        },
        serve: async () => {
          trying = true;
          try {
            const answer = await attempt();
            trying = false;
            if (answer.room) return settle(() => resolve(answer.result));
            return late ? settle(() => resolve(undefined)) : false;
          } catch (error) {
            return settle(() => reject(error instanceof Error ? error : new Error(String(error))));
          }
        },
      };
      line.push(waiter);
      this.#lines.set(key, line);
      this.#schedule();
    });
  }

  /**
   * Makes an attempt now. Called when a place becomes free on this node, and after an attempt has found a
   * place.
   */
  tryNow(): void {
    if (this.#lines.size > 0 && !this.#trying) void this.#try();
  }

  /** Refuses the waiting create requests, and accepts no more. Safe to call twice. */
  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    for (const waiter of [...this.#lines.values()].flat()) waiter.refuse();
  }

  #schedule(): void {
    if (this.#timer || this.#trying || this.#closed || this.#lines.size === 0) return;
    const pace = TRY_MS * Math.max(1, this.nodes() / 100) * (0.5 + this.chance());
    this.#timer = this.clock.setTimeout(() => void this.#try(), pace);
  }

  /** Makes an attempt for the first create request of the next key. */
  async #try(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    const [entry] = this.#lines;
    if (!entry) return;
    const [key, line] = entry;
    this.#trying = true;
    const attempt = line[0]?.serve() ?? Promise.resolve(false);
    const served = await withTimeout(attempt, ATTEMPT_MS, () => false, this.clock);
    this.#trying = false;
    // Moves the key to the end, so that other keys have their turn even while this request is still being
    // served. If the line became empty meanwhile, it was removed. Then the key may have a new line, which
    // keeps its position.
    if (this.#lines.get(key) === line) {
      this.#lines.delete(key);
      this.#lines.set(key, line);
    }
    if (served) this.tryNow();
    this.#schedule();
  }

  #leave(key: string, waiter: Waiter): void {
    const line = this.#lines.get(key);
    if (!line) return;
    const index = line.indexOf(waiter);
    if (index >= 0) line.splice(index, 1);
    if (line.length === 0) this.#lines.delete(key);
  }
}
