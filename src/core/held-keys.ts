import { HELD_INTERVAL_MS, type InputWithoutSeq } from '../protocol/index.js';
import type { Timers } from './timers.js';

/**
 * Says every {@link HELD_INTERVAL_MS} that keys are down, while some are. The remote display repeats a held key after 660 ms. On
 * a line that stands still the host hears nothing of a key that came up meanwhile, and would let it repeat; so it lifts
 * keys after 300 ms of silence. The interval leaves room for two messages that are late.
 */
export class HeldKeys {
  readonly #down = new Set<string>();
  #timer: unknown;

  /** @param tell says that keys are down */
  constructor(
    private readonly timers: Timers,
    private readonly tell: () => void,
  ) {}

  /** Takes note of an event that was sent. */
  sent(event: InputWithoutSeq): void {
    if (event.type === 'release') this.forget();
    if (event.type !== 'key') return;
    const id = event.code || event.key;
    if (event.pressed) this.#down.add(id);
    else this.#down.delete(id);
    if (this.#down.size === 0) this.forget();
    else this.#timer ??= this.#next();
  }

  /** Nothing is down any more. */
  forget(): void {
    this.#down.clear();
    this.timers.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #next(): unknown {
    return this.timers.setTimeout(() => {
      this.tell();
      this.#timer = this.#next();
    }, HELD_INTERVAL_MS);
  }
}
