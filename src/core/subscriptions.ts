import type { RemoteEvent, SessionEvent, SessionEvents } from '../protocol/index.js';

/** Takes the arguments of an event. */
export type RemoteListener<Event extends SessionEvent> = (...args: SessionEvents[Event]) => void;

/** A listener of any event. */
type Listener = (...args: never) => void;

/** Who listens to which event of the session. The session is asked once for each event, and again after a reconnect. */
export class Subscriptions {
  readonly #listeners = new Map<SessionEvent, Set<Listener>>();

  /** @param call asks the session; only called while there is a connection */
  constructor(
    private readonly call: (method: 'subscribe' | 'unsubscribe', name: SessionEvent) => Promise<void>,
  ) {}

  /** Resolves when the session has agreed; rejects as calls do, nobody listens then. `connected`: it can be asked now. */
  async add(name: SessionEvent, listener: Listener, connected: boolean): Promise<void> {
    const listeners = this.#listeners.get(name) ?? new Set();
    const isFirst = listeners.size === 0;
    listeners.add(listener);
    this.#listeners.set(name, listeners);
    if (!isFirst || !connected) return;
    try {
      await this.call('subscribe', name);
    } catch (error) {
      this.#drop(name, listener);
      throw error;
    }
  }

  /** Nothing more comes to this listener. */
  remove(name: SessionEvent, listener: Listener, connected: boolean): void {
    if (!this.#drop(name, listener) || !connected) return;
    // The session may be gone by then, and its subscriptions with it.
    this.call('unsubscribe', name).catch(() => undefined);
  }

  /** There is a new connection, which knows of no subscription. */
  renew(): void {
    for (const name of this.#listeners.keys()) this.call('subscribe', name).catch(() => undefined);
  }

  deliver({ name, args }: RemoteEvent): void {
    // The session is trusted for the form of its events.
    for (const listener of [...(this.#listeners.get(name) ?? [])]) listener(...(args as never));
  }

  /** True when it was the last one for this event. */
  #drop(name: SessionEvent, listener: Listener): boolean {
    const listeners = this.#listeners.get(name);
    if (!listeners?.delete(listener) || listeners.size > 0) return false;
    return this.#listeners.delete(name);
  }
}
