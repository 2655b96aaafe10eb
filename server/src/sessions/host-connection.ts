import type { MethodArgs, MethodResult, SessionMethod } from 'cloud-browser/protocol';
import type { Bookmark, CallingAgent } from '../host-protocol.js';
import { HostCallError } from './host-call-error.js';
import type { FileAnswer, FileRequest, Host } from './ports.js';

/**
 * Connection to the host of one session. The host may still be starting. Calls and messages wait until it has
 * started.
 */
export class HostConnection {
  #started: Promise<Host> | undefined;

  /** Uses the host that is being started. */
  use(started: Promise<Host>): void {
    this.#started = started;
  }

  /** Resolves to the started host. Undefined before the start. Rejects with the errors of the pool. */
  get started(): Promise<Host> | undefined {
    return this.#started;
  }

  /** Resolves to the started host, or to undefined if it did not start. */
  async ifStarted(): Promise<Host | undefined> {
    return this.#started?.catch(() => undefined);
  }

  /** Sends the host a message, after the messages of earlier calls. */
  tell(send: (host: Host) => void): void {
    this.#started?.then(send, () => undefined);
  }

  async addBookmarks(items: readonly Bookmark[]): Promise<void> {
    (await this.#started)?.addBookmarks(items);
  }

  /** Performs a method of the session with the rights of its admin. Rejects with {@link HostCallError}. */
  call<Method extends SessionMethod>(
    method: Method,
    args: MethodArgs<Method>,
  ): Promise<MethodResult<Method>> {
    return this.forward(method, args);
  }

  /**
   * Same as {@link call}, with arguments from outside. The session refuses invalid ones.
   *
   * @param program program for which the service calls; absent for the holder of the admin token
   */
  async forward<Method extends SessionMethod>(
    method: Method,
    args: readonly unknown[],
    program?: CallingAgent,
  ): Promise<MethodResult<Method>> {
    const host = await this.#required();
    // The form of the host's results is trusted.
    return (await host.call(method, args, program)) as MethodResult<Method>;
  }

  /** Sends the host a request for bytes of a file. Rejects with {@link HostCallError}. */
  async file(request: FileRequest): Promise<FileAnswer> {
    const host = await this.#required();
    return host.file(request);
  }

  async #required(): Promise<Host> {
    const host = await this.#started;
    if (!host) throw new HostCallError('err_session_terminated', 'The session has ended.');
    return host;
  }
}
