import { systemClock, type Clock, type Timer } from '../../platform/clock.js';
import { TaskLane, type Task } from './task-lane.js';

/** Runs tasks one after another, in turn between those who have any. A task that fails does not stop those behind it. */
export class TaskQueue {
  /** Those with tasks, in the order of their turns. */
  readonly #waiting = new Set<TaskLane>();
  readonly #urgent: Task[] = [];
  #running = false;
  #timer: Timer | undefined;

  /** @param onError told of every failed task */
  constructor(
    private readonly onError: (error: unknown) => void,
    private readonly clock: Clock = systemClock,
  ) {}

  /** A place for the tasks of one user. */
  lane(): TaskLane {
    return new TaskLane(this, this.clock);
  }

  /** Runs a task before all that wait. */
  urge(task: Task): void {
    this.#urgent.push(task);
    void this.run();
  }

  /** Runs what waits until nothing does, or nothing may yet. @param lane has a task */
  async run(lane?: TaskLane): Promise<void> {
    if (lane) this.#waiting.add(lane);
    if (this.#running) return;
    this.#running = true;
    for (let task = this.#next(); task; task = this.#next()) {
      try {
        // A task without a promise is done at once: pointer moves must not wait for a turn of the event loop.
        const pending = task();
        if (pending) await pending;
      } catch (error) {
        this.onError(error);
      }
    }
    this.#running = false;
    this.#runLater();
  }

  #next(): Task | undefined {
    const urgent = this.#urgent.shift();
    if (urgent) return urgent;
    for (const lane of this.#waiting) {
      const task = lane.take();
      if (!task && !lane.empty) continue;
      // The others come before its next one.
      this.#waiting.delete(lane);
      if (!lane.empty) this.#waiting.add(lane);
      if (task) return task;
    }
    return undefined;
  }

  /** Who waits now was too fast. */
  #runLater(): void {
    if (this.#timer || this.#waiting.size === 0) return;
    const wait = Math.min(...[...this.#waiting].map((lane) => lane.wait));
    this.#timer = this.clock.setTimeout(() => {
      this.#timer = undefined;
      void this.run();
    }, Math.ceil(wait));
  }
}
