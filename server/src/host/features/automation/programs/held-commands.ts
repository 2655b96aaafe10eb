import { letsGo } from '../commands/let-go.js';
import type { ClientCommand } from '../commands/messages.js';
import { isSmall, MAX_PENDING_CHARS, ROOM_FOR_SMALL_CHARS } from '../commands/pending-commands.js';

type Accepts = (size: number, method: string) => boolean;

/** A command that waits, and its size in characters. */
export interface HeldCommand {
  readonly command: ClientCommand;
  readonly size: number;
}

/**
 * Large commands of one program that wait until the browser has answered earlier large ones, and the later
 * commands of the same CDP sessions. The commands of a CDP session keep their order, except those that let a
 * page continue. Commands of other CDP sessions do not wait, because the browser keeps no order between its
 * pages either.
 */
export class HeldCommands {
  readonly #commands: HeldCommand[] = [];
  readonly #chars = { small: 0, large: 0 };

  get any(): boolean {
    return this.#commands.length > 0;
  }

  /** Returns false if a command of this size must not be held now. */
  hasRoom(size: number): boolean {
    return isSmall(size) ? this.#chars.small <= ROOM_FOR_SMALL_CHARS : this.#chars.large <= MAX_PENDING_CHARS;
  }

  /** True if a command must wait behind a held command of its CDP session. */
  precedes({ method, sessionId }: ClientCommand): boolean {
    return !letsGo(method) && this.#commands.some((held) => keepsBack(held, sessionId));
  }

  hold(held: HeldCommand): void {
    this.#commands.push(held);
    this.#chars[isSmall(held.size) ? 'small' : 'large'] += held.size;
  }

  /** True if a held command may begin. See {@link next}. */
  ready(accepts: Accepts): boolean {
    return this.#indexOfNext(accepts) >= 0;
  }

  /**
   * Removes and returns the first command that may begin. Undefined if there is none.
   *
   * @param accepts returns true if the browser can take a command of a size and a method
   */
  next(accepts: Accepts): HeldCommand | undefined {
    const index = this.#indexOfNext(accepts);
    const [next] = index < 0 ? [] : this.#commands.splice(index, 1);
    if (next) this.#chars[isSmall(next.size) ? 'small' : 'large'] -= next.size;
    return next;
  }

  clear(): void {
    this.#commands.length = 0;
    this.#chars.small = this.#chars.large = 0;
  }

  #indexOfNext(accepts: Accepts): number {
    const waiting = new Set<string | undefined>();
    return this.#commands.findIndex(({ command, size }) => {
      const { method, sessionId } = command;
      const isFree = letsGo(method);
      if ((isFree || !waiting.has(sessionId)) && accepts(size, method)) return true;
      if (!isFree) waiting.add(sessionId);
      return false;
    });
  }
}

function keepsBack({ command }: HeldCommand, sessionId: string | undefined): boolean {
  return command.sessionId === sessionId && !letsGo(command.method);
}
