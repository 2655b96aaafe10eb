import type { Clock, Timer } from './clock.js';

/**
 * Task that is run again and again.
 *
 * @param late milliseconds by which this run begins after its planned time. A large value shows that this
 *   process was stopped or got no processor time
 */
export type RepeatedTask = (late: number) => Promise<void> | void;

/** Options of {@link repeat}. */
export interface RepeatOptions {
  /**
   * Milliseconds between the end of a run and the start of the next. If this is a function, it is called to
   * plan each run. If the function returns Infinity, no run is planned until a call of `wake`, `runIn` or
   * `runNow`.
   */
  every: number | (() => number);
  /** Milliseconds until the first run. Default: `every`. */
  first?: number;
  /**
   * Receives errors of the task. Without it, errors are uncaught, like those of a timer's callback. The task
   * is run again in both cases.
   */
  onError?: (error: unknown) => void;
}

/**
 * Runs a task at an interval until `stop` is called. Waits for the end of a run before it plans the next, so
 * runs never overlap. Its timer does not keep the process alive.
 */
export function repeat(
  clock: Pick<Clock, 'now' | 'setTimeout'>,
  options: RepeatOptions,
  task: RepeatedTask,
): Repetition {
  return new Repetition(clock, options, task);
}

/** A repeated task, made by {@link repeat}. */
export class Repetition {
  readonly #every: () => number;
  #timer: Timer | undefined;
  #running = false;
  /** The current run of an asynchronous task. */
  #run: Promise<void> | undefined;
  /** Milliseconds until the next run, if `runIn` was called during the current run. */
  #requested: number | undefined;
  #stopped = false;

  constructor(
    private readonly clock: Pick<Clock, 'now' | 'setTimeout'>,
    private readonly options: RepeatOptions,
    private readonly task: RepeatedTask,
  ) {
    const { every, first } = options;
    this.#every = typeof every === 'number' ? () => every : every;
    this.#plan(first ?? this.#every());
  }

  /** Plans the next run after the interval, if none is planned or under way. */
  wake(): void {
    if (!this.#timer && !this.#running) this.#plan(this.#every());
  }

  /**
   * Plans the next run in this many milliseconds, in place of its planned time. During a run, the time counts
   * from the end of that run. Infinity cancels the planned run.
   */
  runIn(milliseconds: number): void {
    if (this.#running) this.#requested = milliseconds;
    else this.#plan(milliseconds);
  }

  /**
   * Runs the task now, or when the current run has ended. Resolves when this run has ended. The next run
   * starts one interval later. The task itself must not call this, because it would wait for itself.
   */
  async runNow(): Promise<void> {
    while (this.#run) await this.#run;
    if (!this.#stopped) await this.#begin(0);
  }

  /** Resolves when no run is under way. */
  async finished(): Promise<void> {
    while (this.#run) await this.#run.catch(() => undefined);
  }

  /** Prevents all further runs. A run under way continues. Safe to call twice. */
  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  #cancel(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #plan(wait: number): void {
    this.#cancel();
    if (this.#stopped || wait === Infinity) return;
    const due = this.clock.now() + wait;
    this.#timer = this.clock.setTimeout(() => void this.#begin(Math.max(0, this.clock.now() - due)), wait);
  }

  #begin(late: number): Promise<void> | undefined {
    this.#cancel();
    this.#running = true;
    let run: Promise<void> | void;
    try {
      run = this.task(late);
    } catch (error) {
      this.#end();
      this.#failed(error);
      return undefined;
    }
    if (!(run instanceof Promise)) {
      this.#end();
      return undefined;
    }
    this.#run = run.then(
      () => this.#end(),
      (error: unknown) => {
        this.#end();
        this.#failed(error);
      },
    );
    return this.#run;
  }

  #end(): void {
    this.#running = false;
    this.#run = undefined;
    const wait = this.#requested ?? this.#every();
    this.#requested = undefined;
    this.#plan(wait);
  }

  #failed(error: unknown): void {
    if (!this.options.onError) throw error;
    this.options.onError(error);
  }
}
