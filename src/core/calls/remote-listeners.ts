import type { SessionEvent, TabEvents } from '../../protocol/index.js';
import type { Remote } from './remote.js';
import type { RemoteListener } from './subscriptions.js';

/** The listeners of one event of the session. The methods have the same names as those of Chrome's events. */
export class RemoteListeners<Event extends SessionEvent> {
  readonly #listeners = new Set<RemoteListener<Event>>();

  /** @internal */
  constructor(
    private readonly remote: Remote,
    private readonly name: Event,
  ) {}

  /**
   * Adds a listener, which stays across reconnects and restarts of the hosted browser. Resolves when the
   * session has accepted the subscription. Without a connection, resolves at once, and the client subscribes
   * when it is connected. If the session refuses, rejects as `remote.call` does, and the listener is not
   * added. Adding a listener again does nothing.
   */
  async addListener(listener: RemoteListener<Event>): Promise<void> {
    if (this.#listeners.has(listener)) return;
    this.#listeners.add(listener);
    try {
      await this.remote.subscribe(this.name, listener);
    } catch (error) {
      this.#listeners.delete(listener);
      throw error;
    }
  }

  removeListener(listener: RemoteListener<Event>): void {
    if (this.#listeners.delete(listener)) this.remote.unsubscribe(this.name, listener);
  }

  hasListener(listener: RemoteListener<Event>): boolean {
    return this.#listeners.has(listener);
  }
}

/** One event of the session's tabs. */
export type TabEvent<Name extends keyof TabEvents> = RemoteListeners<`tabs.${Name}`>;
