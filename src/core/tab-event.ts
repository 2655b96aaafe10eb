import type { Remote } from './remote.js';
import type { RemoteListener } from './subscriptions.js';

/** One event of the session's tabs. */
export class TabEvent<Args extends unknown[]> {
  readonly #remote: Remote;
  readonly #name: string;
  readonly #listeners = new Map<(...args: Args) => void, RemoteListener>();

  /** @internal */
  constructor(remote: Remote, name: string) {
    this.#remote = remote;
    this.#name = name;
  }

  /**
   * Listens from now on, over reconnects and restarts of the hosted browser. Resolves when the session has agreed; rejects as
   * `remote.call` does, nobody listens then. A listener that listens already stays one.
   */
  async addListener(listener: (...args: Args) => void): Promise<void> {
    if (this.#listeners.has(listener)) return;
    // What the session tells has this form: its browser is its own.
    const remoteListener: RemoteListener = (...args) => listener(...(args as Args));
    this.#listeners.set(listener, remoteListener);
    try {
      await this.#remote.subscribe(this.#name, remoteListener);
    } catch (error) {
      this.#listeners.delete(listener);
      throw error;
    }
  }

  removeListener(listener: (...args: Args) => void): void {
    const remoteListener = this.#listeners.get(listener);
    if (!remoteListener) return;
    this.#listeners.delete(listener);
    this.#remote.unsubscribe(this.#name, remoteListener);
  }

  hasListener(listener: (...args: Args) => void): boolean {
    return this.#listeners.has(listener);
  }
}
