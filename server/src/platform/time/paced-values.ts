import type { Clock } from './clock.js';
import { PacedTask } from './paced-task.js';

interface PacedValue<Value> {
  /** Undefined if the last value was passed on. */
  waiting: Value | undefined;
  task: PacedTask;
}

/** Passes on the values of each key at a limited rate. A newer value replaces the waiting one of its key. */
export class PacedValues<Key, Value> {
  readonly #keys = new Map<Key, PacedValue<Value>>();

  constructor(
    private readonly pass: (key: Key, value: Value) => void,
    private readonly pace: ConstructorParameters<typeof PacedTask>[1],
    private readonly clock: Clock,
  ) {}

  /** @param value returns the new value from the waiting one, which it replaces */
  add(key: Key, value: (waiting: Value | undefined) => Value): void {
    const paced = this.#keys.get(key) ?? {
      waiting: undefined,
      task: new PacedTask(() => this.flush(key), this.pace, this.clock),
    };
    this.#keys.set(key, paced);
    paced.waiting = value(paced.waiting);
    paced.task.ask();
  }

  /** Passes on the waiting value of a key now. */
  flush(key: Key): void {
    const paced = this.#keys.get(key);
    if (paced?.waiting === undefined) return;
    const value = paced.waiting;
    paced.waiting = undefined;
    this.pass(key, value);
  }

  /** Passes on all waiting values now. */
  flushAll(): void {
    for (const key of this.#keys.keys()) this.flush(key);
  }

  /** Forgets a key and its waiting value. */
  forget(key: Key): void {
    this.#keys.get(key)?.task.close();
    this.#keys.delete(key);
  }

  /** Forgets all keys and their waiting values. */
  clear(): void {
    for (const key of [...this.#keys.keys()]) this.forget(key);
  }
}
