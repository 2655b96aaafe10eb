type Listener<Args extends unknown[]> = (...args: Args) => void;

/**
 * Tells listeners of typed events, in the order in which they came. One that is added or taken away while an event is told counts from the
 * next one on. What a listener throws reaches who tells.
 */
export class Emitter<Events extends { [Name in keyof Events]: unknown[] }> {
  #listeners: { [Name in keyof Events]?: readonly Listener<Events[Name]>[] } = {};
  /** What {@link once} has put in the place of a listener. */
  readonly #once = new WeakMap<object, object>();

  /** Has a listener told of each event of this name. The same one twice is told twice. */
  on<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): this {
    this.#listeners[name] = [...(this.#listeners[name] ?? []), listener];
    return this;
  }

  /** Has a listener told of the next event of this name. */
  once<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): this {
    const first: Listener<Events[Name]> = (...args) => {
      this.off(name, first);
      listener(...args);
    };
    this.#once.set(first, listener);
    return this.on(name, first);
  }

  /** Takes a listener away, however often it was added; without one, all of this name. */
  off<Name extends keyof Events>(name: Name, listener?: Listener<Events[Name]>): this {
    this.#listeners[name] =
      listener &&
      this.#listeners[name]?.filter((one) => one !== listener && this.#once.get(one) !== listener);
    return this;
  }

  /** Tells an event; false when nobody listens. */
  emit<Name extends keyof Events>(name: Name, ...args: Events[Name]): boolean {
    const listeners = this.#listeners[name] ?? [];
    for (const listener of listeners) listener(...args);
    return listeners.length > 0;
  }

  /** How many listeners an event has. */
  listenerCount(name: keyof Events): number {
    return this.#listeners[name]?.length ?? 0;
  }

  /** Takes all listeners away. */
  removeAllListeners(): this {
    this.#listeners = {};
    return this;
  }
}
