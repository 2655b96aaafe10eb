import { TimeBudget, type TimeShare } from '../../../../platform/rates/time-budget.js';

/**
 * Maximum number of commands with possibly large answers that may run at the same time: in a new CDP session,
 * in a CDP session whose answers were small, and in all CDP sessions of a program.
 */
const [FIRST_OF_SESSION, MAX_OF_SESSION, MAX_OF_PROGRAM] = [4, 8, 64];
/**
 * After this time, a command without an answer does not count as running. It probably waits for something in
 * its page, for example for an element. The program may need further commands to make the element appear.
 * Milliseconds.
 */
const WORK_MS = 1_000;
/** An answer with at least this many characters keeps page and browser busy long enough to delay a frame. */
const LARGE_CHARS = 100_000;

/**
 * Time in which the browser may work on large answers: of all programs of a session together, and of one
 * program.
 */
export const TIME_OF_LARGE_ANSWERS: Readonly<Record<'all' | 'one', TimeShare>> = {
  all: { share: 0.3, burstMs: 200 },
  one: { share: 0.2, burstMs: 100 },
};

interface SentCommand {
  readonly sessionId: string;
  readonly sentAt: number;
  /**
   * True if the browser has answered a later command of the same CDP session. Then this command waits for
   * something in its page.
   */
  waits?: true;
}

/**
 * Decides when a program's next command with a possibly large answer may be sent. Page and browser draw no
 * frame while they make such an answer, even if the program never reads it.
 */
export class LargeAnswers {
  /** Commands without an answer, oldest first. */
  readonly #commands = new Map<number, SentCommand>();
  /** Maximum number of running commands of each CDP session. Has no entry for a session without answers. */
  readonly #windows = new Map<string, number>();
  readonly #time: TimeBudget;
  #answeredAt = -Infinity;

  /** @param all time that the browser may spend on the large answers of all programs together */
  constructor(
    private readonly all: TimeBudget,
    private readonly now: () => number,
  ) {
    this.#time = new TimeBudget(TIME_OF_LARGE_ANSWERS.one, now);
  }

  /** Returns true if another command may be sent to a CDP session. */
  hasRoom(sessionId: string): boolean {
    if (this.#time.wait > 0 || this.all.wait > 0) return false;
    const oldest = this.now() - WORK_MS;
    const working = [...this.#commands.values()].filter(({ waits, sentAt }) => !waits && sentAt > oldest);
    const ofSession = working.filter((one) => one.sessionId === sessionId).length;
    return ofSession < (this.#windows.get(sessionId) ?? FIRST_OF_SESSION) && working.length < MAX_OF_PROGRAM;
  }

  sent(id: number, sessionId: string): void {
    this.#commands.set(id, { sessionId, sentAt: this.now() });
  }

  /**
   * Records the end of a command. Does nothing for a command that {@link sent} has not recorded.
   *
   * @param size characters of the answer; undefined if no answer can arrive any more
   */
  ended(id: number, size: number | undefined): void {
    const command = this.#commands.get(id);
    if (!command) return;
    this.#commands.delete(id);
    const { sessionId, sentAt } = command;
    // A page begins commands in their order. So if an earlier command has no answer, it waits for something
    // in the page.
    for (const [earlier, other] of this.#commands)
      if (earlier < id && other.sessionId === sessionId) other.waits = true;
    if (size === undefined) return;
    const now = this.now();
    // The browser makes answers one after the other, so only the time since the previous answer counts.
    const worked = now - Math.max(sentAt, this.#answeredAt);
    this.#answeredAt = now;
    if (size >= LARGE_CHARS) {
      this.#windows.set(sessionId, 1);
      this.#time.use(worked);
      this.all.use(worked);
      return;
    }
    const window = this.#windows.get(sessionId) ?? FIRST_OF_SESSION;
    this.#windows.set(sessionId, Math.min(window + 1, MAX_OF_SESSION));
  }

  /** Forgets a CDP session that has ended. */
  forget(sessionId: string): void {
    this.#windows.delete(sessionId);
  }
}
