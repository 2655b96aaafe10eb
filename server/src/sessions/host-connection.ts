import type { MethodArgs, MethodResult, SessionMethod } from 'cloud-browser/protocol';
import type { Bookmark, CallingAgent } from '../host-protocol.js';
import { HostCallError } from './host-call-error.js';
import type { FileAnswer, FileRequest, Host } from './ports.js';

/**
 * Maximum number of unfinished calls of programs, and of all other unfinished calls. A call may have 2 MB of
 * arguments. The host has lower limits, but calls wait in this process while the host starts or does not
 * answer.
 */
const MAX_CALLS = 128;

/** Connection to the host of one session. While the host is starting, calls and messages wait. */
export class HostConnection {
  #started: Promise<Host> | undefined;
  /** Numbers of unfinished calls. */
  readonly #calls = { programs: 0, others: 0 };

  /** Sets the host. The promise resolves when the host has started. */
  use(started: Promise<Host>): void {
    this.#started = started;
  }

  /** Promise of the started host. Undefined before {@link use}. Rejects with the errors of the pool. */
  get started(): Promise<Host> | undefined {
    return this.#started;
  }

  /** Resolves to the started host, or to undefined if it did not start. */
  async ifStarted(): Promise<Host | undefined> {
    return this.#started?.catch(() => undefined);
  }

  /**
   * Sends a message when the host has started. Messages keep their order. Drops the message if the host does
   * not start.
   */
  tell(send: (host: Host) => void): void {
    this.#started?.then(send, () => undefined);
  }

  /** Adds bookmarks when the host has started. Rejects with {@link HostCallError} if too many calls wait. */
  addBookmarks(items: readonly Bookmark[]): Promise<void> {
    return this.#counted('others', async () => (await this.#started)?.addBookmarks(items));
  }

  /** Performs a method of the session with the rights of its admin. Rejects with {@link HostCallError}. */
  call<Method extends SessionMethod>(
    method: Method,
    args: MethodArgs<Method>,
  ): Promise<MethodResult<Method>> {
    return this.forward(method, args);
  }

  /**
   * Same as {@link call}, but the arguments come from a client and are unchecked. The session refuses invalid
   * arguments.
   *
   * @param program program on whose behalf the service calls; absent for a call with the rights of the admin
   * @param leaving signals that the client has gone; a call that still waits is then refused
   */
  async forward<Method extends SessionMethod>(
    method: Method,
    args: readonly unknown[],
    program?: CallingAgent,
    leaving?: AbortSignal,
  ): Promise<MethodResult<Method>> {
    return this.#counted(program ? 'programs' : 'others', async () => {
      const host = await this.#required();
      // The type of the host's results is not checked.
      return (await host.call(method, args, program, leaving)) as MethodResult<Method>;
    });
  }

  /** Sends the host a request for bytes of a file. Rejects with {@link HostCallError}. */
  async file(request: FileRequest): Promise<FileAnswer> {
    const host = await this.#required();
    return host.file(request);
  }

  /** Runs a call of programs or of others. Rejects with {@link HostCallError} if too many are unfinished. */
  async #counted<Result>(caller: 'programs' | 'others', run: () => Promise<Result>): Promise<Result> {
    if (this.#calls[caller] >= MAX_CALLS)
      throw new HostCallError(
        'err_too_many_calls',
        `${MAX_CALLS} calls are unfinished. Wait for some to end.`,
      );
    this.#calls[caller]++;
    try {
      return await run();
    } finally {
      this.#calls[caller]--;
    }
  }

  async #required(): Promise<Host> {
    const host = await this.#started;
    if (!host) throw new HostCallError('err_session_terminated', 'The session has ended.');
    return host;
  }
}
