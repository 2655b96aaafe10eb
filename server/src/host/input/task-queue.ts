import { systemClock, type Clock, type Timer } from '../../platform/time/clock.js';
import { TaskLane, type Task } from './task-lane.js';

/**
 * Runs tasks one after another. Lanes with tasks take turns. A failed task does not stop the following tasks.
 */
export class TaskQueue {
  /** Lanes with tasks, in the order of their turns. */
  readonly #waiting = new Set<TaskLane>();
  readonly #urgent: Task[] = [];
  #running = false;
  #timer: Timer | undefined;

  /** @param onError called for every failed task */
  constructor(
    private readonly onError: (error: unknown) => void,
    private readonly clock: Clock = systemClock,
  ) {}

  /** Returns a new lane for the tasks of one user. */
  lane(): TaskLane {
    return new TaskLane(this, this.clock);
  }

  /** Runs a task before all waiting ones. */
  urge(task: Task): void {
    this.#urgent.push(task);
    void this.run();
  }

  /**
   * Runs waiting tasks until none is left, or until each lane with tasks has exceeded its rate.
   *
   * @param lane a lane that has a task
   */
  async run(lane?: TaskLane): Promise<void> {
    if (lane) this.#waiting.add(lane);
    if (this.#running) return;
    this.#running = true;
    for (let task = this.#next(); task; task = this.#next()) {
      try {
        // Awaits only if the task returned a promise. Pointer moves return none, so they run without a pause.
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
      // Moves this lane to the end, so that the other lanes have their turns first.
      this.#waiting.delete(lane);
      if (!lane.empty) this.#waiting.add(lane);
      if (task) return task;
    }
    return undefined;
  }

  /** Schedules the next run. Called when all waiting lanes have exceeded their rate. */
  #runLater(): void {
    if (this.#timer || this.#waiting.size === 0) return;
    const wait = Math.min(...[...this.#waiting].map((lane) => lane.wait));
    this.#timer = this.clock.setTimeout(() => {
      this.#timer = undefined;
      void this.run();
    }, Math.ceil(wait));
  }
}
