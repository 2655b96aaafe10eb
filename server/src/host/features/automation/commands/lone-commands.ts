import { allowedBy, TimeBudget, type TimeShare } from '../../../../platform/rates/time-budget.js';
import { systemClock, type Clock } from '../../../../platform/time/clock.js';
import { Lanes } from '../../../../platform/time/lanes.js';

/** Maximum number of waiting commands of one program. */
const MAX_WAITING = 40;
/**
 * After this time without an answer to a command, the next command may run. For example, a page with an open
 * dialog does not answer. Milliseconds.
 */
const MAX_TURN_MS = 5_000;

/**
 * Time in which the browser may perform expensive commands: of all programs of a session together, and of one
 * program. The shares are the same as for large answers. The bursts are longer, so that a program that takes
 * a screenshot after each act does not wait.
 */
export const TIME_OF_LONE_COMMANDS: Readonly<Record<'all' | 'one', TimeShare>> = {
  all: { share: 0.3, burstMs: 1_500 },
  one: { share: 0.2, burstMs: 1_000 },
};

/**
 * Runs expensive commands of all programs, such as screenshots, one after the other. Limits the time of these
 * commands, so that viewers still get frames.
 */
export class LoneCommands {
  readonly #lane = new Lanes(1);
  readonly #time: TimeBudget;

  constructor(private readonly clock: Pick<Clock, 'now' | 'setTimeout'> = systemClock) {
    this.#time = this.#budget('all');
  }

  /** Returns the queue of one program. */
  ofProgram(): ProgramQueue {
    const own = this.#budget('one');
    return new ProgramQueue(async (command) => {
      await allowedBy(own, this.clock);
      return this.#perform(own, command);
    });
  }

  /**
   * Performs a command after the waiting commands of other programs. Resolves when the next command may
   * begin.
   */
  #perform(own: TimeBudget, command: () => Promise<unknown>): Promise<void> {
    return this.#lane.run(async () => {
      await allowedBy(this.#time, this.clock);
      const began = this.clock.now();
      const answered = await this.#turnOf(command());
      const worked = this.clock.now() - began;
      own.use(worked);
      // If a page does not answer in time, the time counts only for the program of the command.
      if (answered) this.#time.use(worked);
    });
  }

  /**
   * Resolves to true when a command has ended. Resolves to false if it has not ended after {@link
   * MAX_TURN_MS}.
   */
  #turnOf(command: Promise<unknown>): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = this.clock.setTimeout(() => resolve(false), MAX_TURN_MS);
      const end = () => {
        timer.cancel();
        resolve(true);
      };
      command.then(end, end);
    });
  }

  #budget(whose: 'all' | 'one'): TimeBudget {
    return new TimeBudget(TIME_OF_LONE_COMMANDS[whose], () => this.clock.now());
  }
}

/** Queue of the expensive commands of one program. They begin in the order in which the program sent them. */
export class ProgramQueue {
  readonly #lane = new Lanes(1);
  #waiting = 0;

  /**
   * @param perform performs a command when it is the turn of the program; resolves when the next command may
   *   begin, even if this command has no answer
   */
  constructor(private readonly perform: (command: () => Promise<unknown>) => Promise<void>) {}

  /** True if no more commands can wait. */
  get full(): boolean {
    return this.#waiting >= MAX_WAITING;
  }

  /** Runs a command after the program's earlier commands. Resolves to the result of the command. */
  async run<T>(command: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    const begun: { command?: Promise<T> } = {};
    try {
      await this.#lane.run(() => this.perform(() => (begun.command = command())));
      return await (begun.command as Promise<T>);
    } finally {
      this.#waiting -= 1;
    }
  }
}
