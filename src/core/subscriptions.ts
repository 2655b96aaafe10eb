import { SUBSCRIBE, UNSUBSCRIBE, type RemoteEvent } from '../protocol/index.js';

/** Takes the arguments of an event. */
export type RemoteListener = (...args: unknown[]) => void;

/** Who listens to which event of the session. The session is asked once for each event, and again after a reconnect. */
export class Subscriptions {
  readonly #listeners = new Map<string, Set<RemoteListener>>();

  /** @param call performs a method of the session; only called while there is a connection */
  constructor(private readonly call: (method: string, args: unknown[]) => Promise<unknown>) {}

  /** Resolves when the session has agreed; rejects as calls do, nobody listens then. `connected`: it can be asked now. */
  async add(name: string, listener: RemoteListener, connected: boolean): Promise<void> {
    const listeners = this.#listeners.get(name) ?? new Set();
    const isFirst = listeners.size === 0;
    listeners.add(listener);
    this.#listeners.set(name, listeners);
    if (!isFirst || !connected) return;
    try {
      await this.call(SUBSCRIBE, [name]);
    } catch (error) {
      this.#drop(name, listener);
      throw error;
    }
  }

  /** Nothing more comes to this listener. */
  remove(name: string, listener: RemoteListener, connected: boolean): void {
    if (!this.#drop(name, listener) || !connected) return;
    // The session may be gone by then, and its subscriptions with it.
    this.call(UNSUBSCRIBE, [name]).catch(() => undefined);
  }

  /** There is a new connection, which knows of no subscription. */
  renew(): void {
    for (const name of this.#listeners.keys()) this.call(SUBSCRIBE, [name]).catch(() => undefined);
  }

  deliver({ name, args }: RemoteEvent): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) listener(...args);
  }

  /** True when it was the last one for this event. */
  #drop(name: string, listener: RemoteListener): boolean {
    const listeners = this.#listeners.get(name);
    if (!listeners?.delete(listener) || listeners.size > 0) return false;
    return this.#listeners.delete(name);
  }
}
