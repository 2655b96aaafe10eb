import { HELD_INTERVAL_MS, type InputWithoutSeq } from '../../protocol/index.js';
import type { Timers } from '../timers.js';

/**
 * Sends the message `held` every {@link HELD_INTERVAL_MS} while keys are down. The remote display repeats a
 * held key after 660 ms. On a stalled connection the host would not know that a key was released, and the key
 * would repeat. So the host releases the keys after 300 ms without a message, which tolerates two late
 * messages.
 */
export class HeldKeys {
  readonly #down = new Set<string>();
  #timer: unknown;

  /** @param tell reports that keys are down */
  constructor(
    private readonly timers: Timers,
    private readonly tell: () => void,
  ) {}

  /** Records an event that was sent. */
  sent(event: InputWithoutSeq): void {
    if (event.type === 'release') this.forget();
    if (event.type !== 'key') return;
    const id = event.code || event.key;
    if (event.pressed) this.#down.add(id);
    else this.#down.delete(id);
    if (this.#down.size === 0) this.forget();
    else this.#timer ??= this.#next();
  }

  /** Forgets all held keys. */
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
