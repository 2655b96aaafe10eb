import { HELD_INTERVAL_MS } from 'cloud-browser/protocol';
import { systemClock, type Clock, type Timer } from '../../platform/clock.js';

/**
 * What follows when nothing is heard of a viewer for so many milliseconds. A viewer sends a ping every two seconds, and while
 * it holds a key a confirmation every {@link HELD_INTERVAL_MS}, if its hello has promised those. The display repeats a held key
 * after 660 ms, so when the network delivers a key-up late, the page would get repeats that the user did not type.
 */
export const SILENCE_TIMEOUTS_MS = {
  /** Keys that were to be confirmed are lifted: three confirmations are missing, and the repeats are still to come. */
  unconfirmed: 3 * HELD_INTERVAL_MS,
  /** A viewer without confirmations has missed a ping. If it holds keys, all that it holds is let go of. */
  holding: 4_000,
  /** The viewer is gone, whatever its connection says: seven pings are missing. */
  gone: 15_000,
};

/** Notices that nothing was heard for a while: once, until something is heard again. */
export class Silence {
  #heardAt: number;
  #timer: Timer | undefined;
  #closed = false;

  constructor(
    private readonly timeoutMs: number,
    private readonly onSilence: () => void,
    private readonly clock: Clock = systemClock,
  ) {
    this.#heardAt = clock.now();
    this.#wait(timeoutMs);
  }

  heard(): void {
    this.#heardAt = this.clock.now();
    if (!this.#timer && !this.#closed) this.#wait(this.timeoutMs);
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }

  #wait(milliseconds: number): void {
    // A process that was busy itself first reads what came meanwhile.
    this.#timer = this.clock.setTimeout(() => setImmediate(() => this.#check()), milliseconds);
  }

  #check(): void {
    if (this.#closed) return;
    const left = this.timeoutMs - (this.clock.now() - this.#heardAt);
    if (left > 0) return this.#wait(left);
    this.#timer = undefined;
    this.onSilence();
  }
}
