import type { Call, CallAnswer, RemoteEvent } from '../protocol/index.js';
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
  readonly #subscriptions = new Subscriptions((method, args) => this.call(method, args));
  #send: ((call: Call) => void) | undefined;

  constructor(timers: Timers) {
    this.#book = new CallBook(timers);
  }

  /**
   * Performs a method. Rejects with `CallError` when the session refuses or the browser fails, `CallTimeoutError` when no
   * answer comes, {@link NotConnectedError} without a connection.
   */
  call(method: string, args: unknown[] = [], options: CallOptions = {}): Promise<unknown> {
    const send = this.#send;
    if (!send) return Promise.reject(new NotConnectedError());
    const adminToken = options.adminToken ?? this.adminToken;
    return this.#book.begin({ method, args, ...(adminToken !== undefined && { adminToken }) }, send);
  }

  /** Listens to an event, over reconnects too. Rejects as {@link call} does; without a connection the session is asked later. */
  subscribe(name: string, listener: RemoteListener): Promise<void> {
    return this.#subscriptions.add(name, listener, this.#send !== undefined);
  }

  unsubscribe(name: string, listener: RemoteListener): void {
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
