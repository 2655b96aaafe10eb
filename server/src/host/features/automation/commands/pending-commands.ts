import { isLarge } from '../methods/method-table.js';
import type { ClientCommand } from './messages.js';

/** Commands with large answers on which the browser works: of one session, and of one program. */
const MAX_OF_SESSION = 8;
const MAX_OF_PROGRAM = 64;
/**
 * Time after which a command without an answer counts as one that waits in its page, for example for an
 * element. It must not hold back the commands that it waits for. Milliseconds.
 */
const WORK_MS = 1_000;

/** A command that waits for the browser's answer. */
export interface PendingCommand {
  /** The program's command. Undefined for a command of the relay itself. */
  readonly command: ClientCommand | undefined;
  /** Session of the browser to which the command was sent. */
  readonly sessionId: string;
  /** Size of the command in characters. */
  readonly size: number;
  /** Called when the command was answered, or will never be. */
  readonly settle: () => void;
}

/** The commands of one program that wait for the browser's answers. */
export class PendingCommands {
  readonly #commands = new Map<number, PendingCommand>();
  /** The commands with large answers on which the browser works, oldest first. */
  readonly #large = new Map<number, { sessionId: string; sentAt: number }>();
  #size = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  get count(): number {
    return this.#commands.size;
  }

  /** Characters of all waiting commands. */
  get size(): number {
    return this.#size;
  }

  /** Returns true if a command may be sent to a session now, and false if it must wait for answers. */
  hasRoom(method: string, sessionId: string): boolean {
    if (this.#large.size === 0 || !isLarge(method)) return true;
    const oldest = this.now() - WORK_MS;
    for (const [id, { sentAt }] of this.#large) if (sentAt <= oldest) this.#large.delete(id);
    const ofSession = [...this.#large.values()].filter((one) => one.sessionId === sessionId).length;
    return ofSession < MAX_OF_SESSION && this.#large.size < MAX_OF_PROGRAM;
  }

  add(id: number, command: PendingCommand): void {
    this.#commands.set(id, command);
    const { sessionId } = command;
    if (command.command && isLarge(command.command.method))
      this.#large.set(id, { sessionId, sentAt: this.now() });
    this.#size += command.size;
  }

  /** Removes a command, because it was answered. */
  take(id: number): PendingCommand | undefined {
    const command = this.#commands.get(id);
    if (!command) return undefined;
    this.#commands.delete(id);
    if (this.#large.has(id)) this.#forgetUntil(id, command.sessionId);
    this.#size -= command.size;
    command.settle();
    return command;
  }

  /** Removes the commands of a session that has ended. The browser does not answer them. */
  drop(sessionId: string): void {
    for (const [id, command] of this.#commands) if (command.sessionId === sessionId) this.take(id);
  }

  /** Removes all commands. */
  clear(): void {
    for (const id of [...this.#commands.keys()]) this.take(id);
  }

  /**
   * Forgets a command with a large answer, and the earlier ones of its session. A page begins commands in
   * their order, so the earlier ones wait in the page.
   */
  #forgetUntil(id: number, sessionId: string): void {
    for (const [earlier, large] of this.#large)
      if (earlier <= id && large.sessionId === sessionId) this.#large.delete(earlier);
  }
}
