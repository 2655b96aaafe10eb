import type { RemoteEvent, SessionEvent, SessionEvents } from '../../protocol/index.js';
import { tell } from '../emitter.js';
import { CallTimeoutError, NotConnectedError } from '../errors.js';

/** Receives the arguments of an event. */
export type RemoteListener<Event extends SessionEvent> = (...args: SessionEvents[Event]) => void;

/** A listener of any event. */
type Listener = (...args: never) => void;

/** The listeners for the session's events. Subscribes once to each event, and again after a reconnect. */
export class Subscriptions {
  readonly #listeners = new Map<SessionEvent, Set<Listener>>();
  /** Subscriptions on this connection that the session has accepted, or has not answered yet. */
  readonly #asked = new Map<SessionEvent, Promise<void>>();

  /**
   * @param call calls the session, used only while there is a connection
   * @param onError called if the session refuses to renew a subscription
   */
  constructor(
    private readonly call: (method: 'subscribe' | 'unsubscribe', name: SessionEvent) => Promise<void>,
    private readonly onError: (error: Error) => void,
  ) {}

  /**
   * Adds a listener. Resolves when the session has accepted the subscription, or when there is no
   * connection. If the session refuses, rejects as calls do and removes the listener. `connected`: true if
   * there is a connection now.
   */
  async add(name: SessionEvent, listener: Listener, connected: boolean): Promise<void> {
    const listeners = this.#listeners.get(name) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(name, listeners);
    if (!connected) return;
    const earlier = this.#asked.get(name);
    try {
      await (earlier ? this.#join(name, listener, earlier) : this.#ask(name));
    } catch (error) {
      // The next connection subscribes for this listener.
      if (error instanceof NotConnectedError) return;
      this.#drop(name, listener);
      throw error;
    }
  }

  /** Removes a listener. */
  remove(name: SessionEvent, listener: Listener, connected: boolean): void {
    if (!this.#drop(name, listener) || !connected) return;
    // Ignores a failure. Without a listener, events have no effect, and the subscription ends with the
    // connection.
    this.call('unsubscribe', name).catch(() => undefined);
  }

  /** Subscribes again on a new connection, which has no subscriptions. */
  renew(): void {
    this.#asked.clear();
    for (const name of this.#listeners.keys()) this.#renew(name);
  }

  deliver({ name, args }: RemoteEvent): void {
    // Does not check the arguments, because the client trusts its session.
    for (const listener of [...(this.#listeners.get(name) ?? [])]) tell(() => listener(...(args as never)));
  }

  #renew(name: SessionEvent): void {
    this.#ask(name).catch((error: unknown) => {
      // The next connection renews the subscription.
      if (error instanceof NotConnectedError || !this.#listeners.has(name)) return;
      if (error instanceof CallTimeoutError) this.#renew(name);
      else this.onError(error as Error);
    });
  }

  /**
   * Waits for a subscription that was sent for another listener. If that subscription times out, subscribes
   * again, because this listener may have waited for a short time only.
   */
  async #join(name: SessionEvent, listener: Listener, earlier: Promise<void>): Promise<void> {
    try {
      await earlier;
    } catch (error) {
      const retry = error instanceof CallTimeoutError && this.#listeners.get(name)?.has(listener);
      if (!retry) throw error;
      await (this.#asked.get(name) ?? this.#ask(name));
    }
  }

  /** Subscribes to an event. After a failure, the next listener causes a new request. */
  #ask(name: SessionEvent): Promise<void> {
    const asked = this.call('subscribe', name);
    this.#asked.set(name, asked);
    asked.catch(() => {
      if (this.#asked.get(name) === asked) this.#asked.delete(name);
    });
    return asked;
  }

  /** Removes a listener. Returns true if it was the last listener for this event. */
  #drop(name: SessionEvent, listener: Listener): boolean {
    const listeners = this.#listeners.get(name);
    if (!listeners?.delete(listener) || listeners.size > 0) return false;
    this.#asked.delete(name);
    return this.#listeners.delete(name);
  }
}
