import type { Clock } from '../../platform/time/clock.js';
import { TokenBucket } from '../../platform/rates/token-bucket.js';

/** A task of a user. A task that returns no promise is done when it returns. */
export interface Task {
  (): Promise<void> | void;
  /** Called if the task is dropped while it waits. */
  onDropped?: (() => void) | undefined;
}

/**
 * Rate limit for one user's input to the display. Viewers send fewer events than this, and the display can
 * handle far more. Key repeat makes 30 events a second. A browser sends pointer and wheel events once a
 * frame.
 */
const PACE = { perSecond: 250, burst: 100 };
/** Maximum number of waiting tasks. Pasting a megabyte makes 64 tasks. */
const MAX_WAITING = 1_024;

/**
 * Waiting tasks of one user. The queue takes one task from each lane in turn, so no user waits until all
 * tasks of another user are done.
 */
export class TaskLane {
  readonly #tasks: Task[] = [];
  readonly #pace: TokenBucket;

  constructor(
    private readonly queue: { run(lane: TaskLane): Promise<void> },
    clock: Clock,
  ) {
    this.#pace = new TokenBucket(PACE, clock);
  }

  /** Adds a task. Returns false and drops the task if too many tasks wait. */
  push(task: Task): boolean {
    if (this.#tasks.length >= MAX_WAITING) return false;
    this.pushLast(task);
    return true;
  }

  /** Adds a task that must always be done, such as a release, even if too many tasks wait. */
  pushLast(task: Task): void {
    this.#tasks.push(task);
    void this.queue.run(this);
  }

  /** Drops all waiting tasks. */
  clear(): void {
    for (const task of this.#tasks.splice(0)) task.onDropped?.();
  }

  get empty(): boolean {
    return this.#tasks.length === 0;
  }

  /** Milliseconds until the next task may be taken. */
  get wait(): number {
    return this.#pace.wait();
  }

  /** Returns the next task. Undefined if no task waits, or if the rate limit requires a pause. */
  take(): Task | undefined {
    return this.#tasks.length > 0 && this.#pace.take() ? this.#tasks.shift() : undefined;
  }
}
