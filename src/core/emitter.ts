type Listener<Args extends unknown[]> = (...args: Args) => void;

/**
 * Calls the listeners of typed events, in the order in which they were added. A listener that is added or
 * removed during an event counts from the next event on. An error of a listener reaches the caller of `emit`.
 */
export class Emitter<Events extends { [Name in keyof Events]: unknown[] }> {
  #listeners: { [Name in keyof Events]?: readonly Listener<Events[Name]>[] } = {};
  /** The listeners behind the wrappers of {@link once}. */
  readonly #once = new WeakMap<object, object>();

  /** Adds a listener to an event. A listener that is added twice is called twice. */
  on<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): this {
    this.#listeners[name] = [...(this.#listeners[name] ?? []), listener];
    return this;
  }

  /** Adds a listener to the next event of this name. */
  once<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): this {
    const first: Listener<Events[Name]> = (...args) => {
      this.off(name, first);
      listener(...args);
    };
    this.#once.set(first, listener);
    return this.on(name, first);
  }

  /**
   * Removes a listener, even if it was added several times. Without a listener it removes all of this name.
   */
  off<Name extends keyof Events>(name: Name, listener?: Listener<Events[Name]>): this {
    this.#listeners[name] =
      listener &&
      this.#listeners[name]?.filter((one) => one !== listener && this.#once.get(one) !== listener);
    return this;
  }

  /** Emits an event. Returns false if it has no listener. */
  emit<Name extends keyof Events>(name: Name, ...args: Events[Name]): boolean {
    const listeners = this.#listeners[name] ?? [];
    for (const listener of listeners) listener(...args);
    return listeners.length > 0;
  }

  /** Returns the number of an event's listeners. */
  listenerCount(name: keyof Events): number {
    return this.#listeners[name]?.length ?? 0;
  }

  /** Removes all listeners. */
  removeAllListeners(): this {
    this.#listeners = {};
    return this;
  }
}
