import type {
  Call,
  CallAnswer,
  MethodArgs,
  MethodResult,
  RemoteEvent,
  SessionEvent,
  SessionMethod,
} from '../../protocol/index.js';
import { PendingCalls } from './pending-calls.js';
import { NotConnectedError } from '../errors.js';
import { PacedResizes } from '../sizes/paced-resizes.js';
import type { SizePace } from '../sizes/size-pace.js';
import { Subscriptions, type RemoteListener } from './subscriptions.js';
import type { Timers } from '../timers.js';

/** Options of one call. */
export interface CallOptions {
  /** Used for this call instead of {@link Remote.adminToken}. */
  adminToken?: string | undefined;
}

/** The methods and events of the session, such as `tabs.query` and `tabs.onUpdated`. */
export class Remote {
  /** Token for calls that only the session's admin may make. If set, it is sent with every call. */
  adminToken: string | undefined;
  readonly #book: PendingCalls;
  readonly #subscriptions: Subscriptions;
  readonly #resizes: PacedResizes<CallOptions>;
  #send: ((call: Call) => void) | undefined;

  /** @internal */
  constructor(timers: Timers, pace: SizePace, onError: (error: Error) => void) {
    this.#book = new PendingCalls(timers);
    this.#subscriptions = new Subscriptions((method, name) => this.call(method, [name]), onError);
    this.#resizes = new PacedResizes(pace, (args, options) => this.#perform('resize', args, options));
  }

  /**
   * Calls a method. Rejects with `CallError` if the session refuses or the browser fails, with
   * `CallTimeoutError` if no answer arrives in time, and with {@link NotConnectedError} if there is no
   * connection or it is lost.
   */
  call<Method extends SessionMethod>(
    method: Method,
    ...[args, options]: [] extends MethodArgs<Method>
      ? [args?: MethodArgs<Method>, options?: CallOptions]
      : [args: MethodArgs<Method>, options?: CallOptions]
  ): Promise<MethodResult<Method>> {
    return this.forward(method, args ?? [], options);
  }

  /** Calls a method as {@link call} does, with unchecked arguments. The session rejects invalid ones. */
  async forward<Method extends SessionMethod>(
    method: Method,
    args: readonly unknown[],
    options: CallOptions = {},
  ): Promise<MethodResult<Method>> {
    if (!this.#send) throw new NotConnectedError();
    const isResize = method === 'resize';
    const result = await (isResize
      ? this.#resizes.call(args, options)
      : this.#perform(method, args, options));
    // The client trusts the form of the session's results.
    return result as MethodResult<Method>;
  }

  /**
   * Adds a listener for an event. The listener stays across reconnects. If the session refuses the
   * subscription, rejects as {@link call} does and removes the listener. Without a connection, resolves at
   * once, and subscribes on the next connection. Does the same if the connection is lost before the session
   * answers.
   */
  subscribe<Event extends SessionEvent>(name: Event, listener: RemoteListener<Event>): Promise<void> {
    return this.#subscriptions.add(name, listener, this.#send !== undefined);
  }

  unsubscribe<Event extends SessionEvent>(name: Event, listener: RemoteListener<Event>): void {
    this.#subscriptions.remove(name, listener, this.#send !== undefined);
  }

  /** @internal Attaches a connection. */
  open(send: (call: Call) => void): void {
    this.#send = send;
    this.#subscriptions.renew();
  }

  /** @internal Handles a message from the session. */
  received(message: CallAnswer | RemoteEvent): void {
    if (message.type === 'answer') this.#book.settle(message);
    else this.#subscriptions.deliver(message);
  }

  /** @internal Rejects all open calls, because the connection is lost. */
  close(): void {
    this.#send = undefined;
    this.#resizes.abandon(new NotConnectedError());
    this.#book.abandon();
  }

  async #perform(method: SessionMethod, args: readonly unknown[], options: CallOptions): Promise<unknown> {
    const send = this.#send;
    if (!send) throw new NotConnectedError();
    const adminToken = options.adminToken ?? this.adminToken;
    return this.#book.begin({ method, args, ...(adminToken !== undefined && { adminToken }) }, send);
  }
}

/** Calls one method of the session. */
export type RemoteMethod<Method extends SessionMethod> = (
  ...args: MethodArgs<Method>
) => Promise<MethodResult<Method>>;

/**
 * Base class for classes that offer some of the session's methods. It sets `remote` before the fields of a
 * subclass are initialized, because these fields use `remote`.
 */
export class RemoteMethods {
  /** @internal */
  constructor(protected readonly remote: Remote) {}

  /**
   * Returns a function that calls a method. The function drops omitted arguments at the end. An omitted
   * argument before others is sent as null, which the session treats as omitted.
   */
  protected method<Method extends SessionMethod>(method: Method): RemoteMethod<Method> {
    return (...args) => {
      let { length } = args;
      while (length > 0 && args[length - 1] === undefined) length -= 1;
      return this.remote.forward(method, args.slice(0, length));
    };
  }
}
