import type {
  Call,
  CallAnswer,
  MethodArgs,
  MethodResult,
  RemoteEvent,
  SessionEvent,
  SessionMethod,
} from '../protocol/index.js';
import { CallBook } from './call-book.js';
import { NotConnectedError } from './errors.js';
import { Subscriptions, type RemoteListener } from './subscriptions.js';
import type { Timers } from './timers.js';

/** How one call differs from the others. */
export interface CallOptions {
  /** For this call instead of {@link Remote.adminToken}. */
  adminToken?: string | undefined;
}

/** The session as a set of methods and events, such as `tabs.query` and `tabs.onUpdated`. */
export class Remote {
  /** Lets this client do what only the session's admin may; sent with every call once it is set. */
  adminToken: string | undefined;
  readonly #book: CallBook;
  readonly #subscriptions = new Subscriptions((method, name) => this.call(method, [name]));
  #send: ((call: Call) => void) | undefined;

  constructor(timers: Timers) {
    this.#book = new CallBook(timers);
  }

  /**
   * Performs a method. Rejects with `CallError` when the session refuses or the browser fails, `CallTimeoutError` when no
   * answer comes, {@link NotConnectedError} without a connection.
   */
  call<Method extends SessionMethod>(
    method: Method,
    ...[args, options]: [] extends MethodArgs<Method>
      ? [args?: MethodArgs<Method>, options?: CallOptions]
      : [args: MethodArgs<Method>, options?: CallOptions]
  ): Promise<MethodResult<Method>> {
    return this.forward(method, args ?? [], options);
  }

  /** As {@link call}, with arguments that somebody else chose; the session refuses those that cannot be. */
  async forward<Method extends SessionMethod>(
    method: Method,
    args: readonly unknown[],
    options: CallOptions = {},
  ): Promise<MethodResult<Method>> {
    const send = this.#send;
    if (!send) throw new NotConnectedError();
    const adminToken = options.adminToken ?? this.adminToken;
    const call = { method, args, ...(adminToken !== undefined && { adminToken }) };
    // The session is trusted for the form of its results.
    return (await this.#book.begin(call, send)) as MethodResult<Method>;
  }

  /** Listens to an event, over reconnects too. Rejects as {@link call} does; without a connection the session is asked later. */
  subscribe<Event extends SessionEvent>(name: Event, listener: RemoteListener<Event>): Promise<void> {
    return this.#subscriptions.add(name, listener, this.#send !== undefined);
  }

  unsubscribe<Event extends SessionEvent>(name: Event, listener: RemoteListener<Event>): void {
    this.#subscriptions.remove(name, listener, this.#send !== undefined);
  }

  /** @internal There is a connection. */
  open(send: (call: Call) => void): void {
    this.#send = send;
    this.#subscriptions.renew();
  }

  /** @internal A message of the session. */
  received(message: CallAnswer | RemoteEvent): void {
    if (message.type === 'answer') this.#book.settle(message);
    else this.#subscriptions.deliver(message);
  }

  /** @internal The connection is gone, and with it the answers. */
  close(): void {
    this.#send = undefined;
    this.#book.abandon();
  }
}

/** Calls one method of the session. */
export type RemoteMethod<Method extends SessionMethod> = (
  ...args: MethodArgs<Method>
) => Promise<MethodResult<Method>>;

/** Some of the session's methods under names of their own. The fields of a subclass need `remote` early, so it is set here. */
export class RemoteMethods {
  /** @internal */
  constructor(protected readonly remote: Remote) {}

  /** What is left out in the middle goes as null, which counts as left out too. */
  protected method<Method extends SessionMethod>(method: Method): RemoteMethod<Method> {
    return (...args) => {
      let { length } = args;
      while (length > 0 && args[length - 1] === undefined) length -= 1;
      return this.remote.forward(method, args.slice(0, length));
    };
  }
}
