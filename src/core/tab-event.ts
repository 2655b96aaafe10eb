import type { TabEvents } from '../protocol/index.js';
import type { Remote } from './remote.js';
import type { RemoteListener } from './subscriptions.js';

/** One event of the session's tabs. */
export class TabEvent<Name extends keyof TabEvents> {
  readonly #name: `tabs.${Name}`;
  readonly #listeners = new Set<RemoteListener<`tabs.${Name}`>>();

  /** @internal */
  constructor(
    private readonly remote: Remote,
    name: Name,
  ) {
    this.#name = `tabs.${name}`;
  }

  /**
   * Listens from now on, over reconnects and restarts of the hosted browser. Resolves when the session has agreed; rejects as
   * `remote.call` does, nobody listens then. A listener that listens already stays one.
   */
  async addListener(listener: RemoteListener<`tabs.${Name}`>): Promise<void> {
    if (this.#listeners.has(listener)) return;
    this.#listeners.add(listener);
    try {
      await this.remote.subscribe(this.#name, listener);
    } catch (error) {
      this.#listeners.delete(listener);
      throw error;
    }
  }

  removeListener(listener: RemoteListener<`tabs.${Name}`>): void {
    if (this.#listeners.delete(listener)) this.remote.unsubscribe(this.#name, listener);
  }

  hasListener(listener: RemoteListener<`tabs.${Name}`>): boolean {
    return this.#listeners.has(listener);
  }
}
