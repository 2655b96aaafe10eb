import type { ClientCommand } from '../commands/messages.js';
import { isSmall, MAX_PENDING_CHARS, ROOM_FOR_SMALL_CHARS } from '../commands/pending-commands.js';

/**
 * Methods that let a page continue which waits for the program. An earlier command of the CDP session may
 * wait for this page. So these methods do not keep their place behind earlier commands. They name a request,
 * a dialog or a target that the browser has already reported, so earlier commands do not change their effect.
 */
const LET_GO: ReadonlySet<string> = new Set([
  'Fetch.continueRequest',
  'Fetch.continueResponse',
  'Fetch.continueWithAuth',
  'Fetch.failRequest',
  'Fetch.fulfillRequest',
  'Page.handleJavaScriptDialog',
  'Runtime.runIfWaitingForDebugger',
  'Runtime.terminateExecution',
]);

/** A command that waits, and its size in characters. */
export interface HeldCommand {
  readonly command: ClientCommand;
  readonly size: number;
}

/**
 * Large commands of one program that wait until the browser has answered earlier large ones, and the later
 * commands of the same CDP sessions. The commands of a CDP session keep their order, except
 * {@link LET_GO}. Commands of other CDP sessions do not wait, because the browser keeps no order between its
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
    return !LET_GO.has(method) && this.#commands.some((held) => keepsBack(held, sessionId));
  }

  hold(held: HeldCommand): void {
    this.#commands.push(held);
    this.#chars[isSmall(held.size) ? 'small' : 'large'] += held.size;
  }

  /** True if a held command may begin. See {@link next}. */
  ready(accepts: (size: number) => boolean): boolean {
    return this.#indexOfNext(accepts) >= 0;
  }

  /**
   * Removes and returns the first command that may begin. Undefined if there is none.
   *
   * @param accepts returns true if the browser can take a command of a size
   */
  next(accepts: (size: number) => boolean): HeldCommand | undefined {
    const index = this.#indexOfNext(accepts);
    const [next] = index < 0 ? [] : this.#commands.splice(index, 1);
    if (next) this.#chars[isSmall(next.size) ? 'small' : 'large'] -= next.size;
    return next;
  }

  clear(): void {
    this.#commands.length = 0;
    this.#chars.small = this.#chars.large = 0;
  }

  #indexOfNext(accepts: (size: number) => boolean): number {
    const waiting = new Set<string | undefined>();
    return this.#commands.findIndex(({ command, size }) => {
      const { method, sessionId } = command;
      const isFree = LET_GO.has(method);
      if ((isFree || !waiting.has(sessionId)) && accepts(size)) return true;
      if (!isFree) waiting.add(sessionId);
      return false;
    });
  }
}

function keepsBack({ command }: HeldCommand, sessionId: string | undefined): boolean {
  return command.sessionId === sessionId && !LET_GO.has(command.method);
}
