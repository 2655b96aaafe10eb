import { isLarge } from '../methods/method-table.js';
import type { TimeBudget } from '../../../../platform/rates/time-budget.js';
import { LargeAnswers } from './large-answers.js';
import type { ClientCommand } from './messages.js';

/** A command that waits for the browser's answer. */
export interface PendingCommand {
  /** The program's command. Undefined for a command of the relay itself. */
  readonly command: ClientCommand | undefined;
  /** CDP session to which the command was sent. */
  readonly sessionId: string;
  /** Size of the command in characters. */
  readonly size: number;
  /** Called when the command was answered, or when no answer can arrive any more. */
  readonly settle: () => void;
  /** Called with the text of the answer to a command of the relay itself. */
  readonly onAnswer?: ((text: string) => void) | undefined;
}

/** The commands of one program that wait for their turn or for the browser's answers. */
export class PendingCommands {
  readonly #commands = new Map<number, PendingCommand>();
  readonly #large: LargeAnswers;
  #size = 0;

  /** @param largeTime time that the browser may spend on the large answers of all programs together */
  constructor(largeTime: TimeBudget, now: () => number = () => performance.now()) {
    this.#large = new LargeAnswers(largeTime, now);
  }

  get count(): number {
    return this.#commands.size;
  }

  /** Number of characters of all waiting commands. */
  get size(): number {
    return this.#size;
  }

  /** Returns true if a command may be sent to a CDP session now, and false if it must wait for answers. */
  hasRoom(method: string, sessionId: string): boolean {
    return !isLarge(method) || this.#large.hasRoom(sessionId);
  }

  /**
   * Counts the characters of a command that waits for its turn. Returns a function that ends the wait. A
   * second call of this function does nothing.
   */
  hold(size: number): () => void {
    let held = size;
    this.#size += held;
    return () => {
      this.#size -= held;
      held = 0;
    };
  }

  add(id: number, command: PendingCommand): void {
    this.#commands.set(id, command);
    // The relay asks the browser about the context of a command, which waits and may have a large answer.
    const large = command.onAnswer !== undefined || (command.command && isLarge(command.command.method));
    if (large) this.#large.sent(id, command.sessionId);
    this.#size += command.size;
  }

  /**
   * Removes a command.
   *
   * @param answer number of characters of its answer; undefined if no answer can arrive any more
   */
  take(id: number, answer?: number): PendingCommand | undefined {
    const command = this.#commands.get(id);
    if (!command) return undefined;
    this.#commands.delete(id);
    this.#large.ended(id, answer);
    this.#size -= command.size;
    command.settle();
    return command;
  }

  /** Removes the commands of a CDP session that has ended. The browser does not answer them. */
  drop(sessionId: string): void {
    for (const [id, command] of this.#commands) if (command.sessionId === sessionId) this.take(id);
    this.#large.forget(sessionId);
  }

  /** Removes all commands. */
  clear(): void {
    for (const id of [...this.#commands.keys()]) this.take(id);
  }
}
