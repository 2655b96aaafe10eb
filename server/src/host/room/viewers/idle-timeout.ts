import { HELD_INTERVAL_MS } from 'cloud-browser/protocol';
import { systemClock, type Clock, type Timer } from '../../../platform/time/clock.js';

/**
 * Timeouts for a viewer that sends nothing, in milliseconds. A viewer sends a ping every two seconds. While
 * it holds a key, it also sends a confirmation every {@link HELD_INTERVAL_MS}, if it announced that in its
 * hello. The display repeats a held key after 660 ms. If the network delays the key-up for longer than that,
 * the page gets repeats that the user did not type.
 */
export const SILENCE_TIMEOUTS_MS = {
  /**
   * Timeout for keys that need confirmation. At this time, three confirmations are missing, and the display
   * has not repeated the key yet.
   */
  unconfirmed: 3 * HELD_INTERVAL_MS,
  /**
   * Timeout after which all keys, buttons and fingers of a viewer are released. At this time, at least one
   * ping is missing. Without the release, other users could not press a button that this viewer holds.
   */
  holding: 4_000,
  /**
   * Timeout after which the viewer counts as gone, even if its connection is open. At this time, seven pings
   * are missing.
   */
  gone: 15_000,
};

/** Reports that no message arrived for a while. After a report, waits for the next message. */
export class IdleTimeout {
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
    // If this process itself was busy, it first reads the messages that have arrived meanwhile.
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
