import { allowedBy, TimeBudget, type TimeShare } from '../../../../platform/rates/time-budget.js';
import { systemClock, type Clock } from '../../../../platform/time/clock.js';
import { Lanes } from '../../../../platform/time/lanes.js';

/** Maximum number of waiting commands of one program. */
const MAX_WAITING = 40;
/**
 * Time after which a command without an answer no longer holds back those of other programs. Its page may
 * wait for a dialog. Milliseconds.
 */
const MAX_TURN_MS = 5_000;

/**
 * Time in which the browser may perform lone commands: for all programs of a session, and for one. The shares
 * are those of large answers. The bursts are longer, so that a program which takes a screenshot after each of
 * its acts does not wait.
 */
export const TIME_OF_LONE_COMMANDS: Readonly<Record<'all' | 'one', TimeShare>> = {
  all: { share: 0.3, burstMs: 1_500 },
  one: { share: 0.2, burstMs: 1_000 },
};

/**
 * Runs expensive commands of all programs one after the other, and limits their time, so that viewers keep
 * their frames.
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

  /** Performs a command after those of other programs. */
  async #perform<T>(own: TimeBudget, command: () => Promise<T>): Promise<T> {
    const begun: { command?: Promise<T> } = {};
    await this.#lane.run(async () => {
      await allowedBy(this.#time, this.clock);
      const began = this.clock.now();
      begun.command = command();
      const answered = await this.#turnOf(begun.command);
      const worked = this.clock.now() - began;
      own.use(worked);
      // A page that does not answer delays only its own program further.
      if (answered) this.#time.use(worked);
    });
    return begun.command as Promise<T>;
  }

  /** Resolves to true at the end of a command, and to false when it has held back others for too long. */
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

/** The expensive commands of one program, which begin in their order. */
export class ProgramQueue {
  readonly #lane = new Lanes(1);
  #waiting = 0;

  /** @param perform performs a command when it is the turn of the program */
  constructor(private readonly perform: <T>(command: () => Promise<T>) => Promise<T>) {}

  /** True if no more commands can wait. */
  get full(): boolean {
    return this.#waiting >= MAX_WAITING;
  }

  /** Runs a command after the earlier ones. */
  run<T>(command: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    return this.#lane.run(() => this.perform(command)).finally(() => (this.#waiting -= 1));
  }
}
