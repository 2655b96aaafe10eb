import type { Clock } from '../../platform/clock.js';
import { TokenBucket } from '../../platform/token-bucket.js';

/** Ends by itself; without a promise it is done at once. */
export type Task = () => Promise<void> | void;

/**
 * What the display gets of one user: more than hands and pages make, and far less than what would keep the display busy. Key
 * repeat is 30 a second, a browser hands out its pointer and its wheel once a frame.
 */
const PACE = { perSecond: 250, burst: 100 };
/** Tasks that may wait: pasting a megabyte makes 64. */
const MAX_WAITING = 1_024;

/** What waits of one user. The queue takes turns between lanes, so nobody waits behind the backlog of another. */
export class TaskLane {
  readonly #tasks: Task[] = [];
  readonly #pace: TokenBucket;

  constructor(
    private readonly queue: { run(lane: TaskLane): Promise<void> },
    clock: Clock,
  ) {
    this.#pace = new TokenBucket(PACE, clock);
  }

  /** False: too much waits already, and this is not done. */
  push(task: Task): boolean {
    if (this.#tasks.length >= MAX_WAITING) return false;
    this.pushLast(task);
    return true;
  }

  /** For what must be done whatever waits, such as letting go. */
  pushLast(task: Task): void {
    this.#tasks.push(task);
    void this.queue.run(this);
  }

  /** Gives up what waits. */
  clear(): void {
    this.#tasks.length = 0;
  }

  get empty(): boolean {
    return this.#tasks.length === 0;
  }

  /** Milliseconds until the next task may be taken. */
  get wait(): number {
    return this.#pace.wait();
  }

  /** The next task, unless it is too early for it. */
  take(): Task | undefined {
    return this.#tasks.length > 0 && this.#pace.take() ? this.#tasks.shift() : undefined;
  }
}
