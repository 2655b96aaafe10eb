import type { Clock, Timer } from '../platform/clock.js';
import type { Chance } from './retry-after.js';

/** Creates of one key that wait on this node; more are refused at once. */
export const MAX_WAITING = 10;
/** How long a create waits for room. */
export const WAIT_MS = 10_000;
/** Between two tries of a small cluster, on average. */
const TRY_MS = 250;
/** A try that takes longer is given up for the line's sake. */
const ATTEMPT_MS = 3_000;

/** What came of a try: no room yet, or what the caller waits for. */
export type Attempt<Result> = { room: false } | { room: true; result: Result };

interface Waiter {
  /** Tries once; never rejects. True: it is served, and waits no more. */
  serve(): Promise<boolean>;
}

/**
 * Where creates wait while no node has room: a short line for each key, and keys take turns, so none waits behind another one's many.
 * One try is under way at a time, whoever waits, and the larger the cluster the more seldom this node tries: all of them together
 * ask the database no more than some hundreds of times a second when the whole cluster is full.
 */
export class WaitingLine {
  readonly #lines = new Map<string, Waiter[]>();
  #timer: Timer | undefined;
  #trying = false;
  #closed = false;

  constructor(
    private readonly clock: Clock,
    /** How many nodes there are. */
    private readonly nodes: () => number,
    private readonly chance: Chance = Math.random,
  ) {}

  /** How many wait. */
  get length(): number {
    return [...this.#lines.values()].reduce((sum, line) => sum + line.length, 0);
  }

  /**
   * Waits until `attempt` finds room, in turn; the first attempt has already failed. Undefined: the line of the key is full, or the time
   * is up. Rejects as `attempt` does.
   */
  wait<Result>(key: string, attempt: () => Promise<Attempt<Result>>): Promise<Result | undefined> {
    const line = this.#lines.get(key) ?? [];
    if (this.#closed || line.length >= MAX_WAITING) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      let late = false;
      let trying = false;
      const end = () => {
        late = true;
        this.#leave(key, waiter);
        if (!trying) resolve(undefined);
      };
      const timer = this.clock.setTimeout(end, WAIT_MS);
      const settle = (act: () => void) => {
        timer.cancel();
        this.#leave(key, waiter);
        act();
        return true;
      };
      const waiter: Waiter = {
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

  /** A place has just become free here: somebody who waits may have it at once. */
  tryNow(): void {
    if (this.#lines.size > 0 && !this.#trying) void this.#try();
  }

  /** Lets nobody wait any more; those who wait are refused when their time is up. */
  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }

  #schedule(): void {
    if (this.#timer || this.#trying || this.#closed || this.#lines.size === 0) return;
    const pace = TRY_MS * Math.max(1, this.nodes() / 100) * (0.5 + this.chance());
    this.#timer = this.clock.setTimeout(() => void this.#try(), pace);
  }

  /** The first of the key whose turn it is tries. */
  async #try(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    const [entry] = this.#lines;
    if (!entry) return;
    const [key, line] = entry;
    this.#trying = true;
    let limit: Timer | undefined;
    const tooLong = new Promise<boolean>((resolve) => {
      limit = this.clock.setTimeout(() => resolve(false), ATTEMPT_MS);
    });
    const served = await Promise.race([line[0]?.serve() ?? false, tooLong]);
    limit?.cancel();
    this.#trying = false;
    // The key goes to the end: others have their turn, also while this one is being served.
    if (this.#lines.delete(key) && line.length > 0) this.#lines.set(key, line);
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
