import type { ClientCommand } from './messages.js';

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
  #size = 0;

  get count(): number {
    return this.#commands.size;
  }

  /** Characters of all waiting commands. */
  get size(): number {
    return this.#size;
  }

  add(id: number, command: PendingCommand): void {
    this.#commands.set(id, command);
    this.#size += command.size;
  }

  /** Removes a command, because it was answered. */
  take(id: number): PendingCommand | undefined {
    const command = this.#commands.get(id);
    if (!command) return undefined;
    this.#commands.delete(id);
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
}
