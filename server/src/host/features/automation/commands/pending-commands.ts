import { isLarge } from '../methods/method-table.js';
import type { TimeBudget } from '../../../../platform/rates/time-budget.js';
import { LargeAnswers } from './large-answers.js';
import { endsRequest } from './let-go.js';
import type { ClientCommand } from './messages.js';

/**
 * While the commands that wait for their turn or for the browser have more characters than this, the host
 * handles no further large commands.
 */
export const MAX_PENDING_CHARS = 16_000_000;
/**
 * Commands of at most this size still have room above {@link MAX_PENDING_CHARS}. The browser may need them to
 * answer the waiting commands: a script that waits for a request continues with `Fetch.continueRequest`.
 */
const SMALL_COMMAND_CHARS = 64_000;
/** Maximum number of characters of small commands that wait while large ones have no room. */
export const ROOM_FOR_SMALL_CHARS = 1_000_000;

/** True if a command of this size in characters is small. */
export const isSmall = (size: number): boolean => size <= SMALL_COMMAND_CHARS;

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
  /** The part of {@link size} that belongs to small commands. */
  #smallSize = 0;
  /** Number of large commands that continue or end a request. */
  #largeEndings = 0;

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
   * Returns true if a command of this size may begin to wait. A single command can be larger than the limit
   * of all. Small commands have their own limit, so that a large command cannot hold back the ones that it
   * needs. It may also need a large answer to a request. The browser takes it at once, so one at a time is
   * sufficient.
   */
  accepts(size: number, method = ''): boolean {
    if (this.#size <= MAX_PENDING_CHARS) return true;
    if (isSmall(size)) return this.#smallSize <= ROOM_FOR_SMALL_CHARS;
    return endsRequest(method) && this.#largeEndings === 0;
  }

  /**
   * Counts the characters of a command that waits for its turn. Returns a function that ends the wait. A
   * second call of this function does nothing.
   */
  hold(size: number): () => void {
    let held = true;
    this.#count(size, 1);
    return () => {
      if (held) this.#count(size, -1);
      held = false;
    };
  }

  add(id: number, command: PendingCommand): void {
    this.#commands.set(id, command);
    // The relay asks the browser about the context of a command, which waits and may have a large answer.
    const large = command.onAnswer !== undefined || (command.command && isLarge(command.command.method));
    if (large) this.#large.sent(id, command.sessionId);
    if (isLargeEnding(command)) this.#largeEndings += 1;
    this.#count(command.size, 1);
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
    if (isLargeEnding(command)) this.#largeEndings -= 1;
    this.#count(command.size, -1);
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

  #count(size: number, sign: 1 | -1): void {
    this.#size += sign * size;
    if (isSmall(size)) this.#smallSize += sign * size;
  }
}

function isLargeEnding({ command, size }: PendingCommand): boolean {
  return command !== undefined && !isSmall(size) && endsRequest(command.method);
}
