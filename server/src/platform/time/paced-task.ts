import { systemClock, type Clock, type Timer } from './clock.js';
import { TokenBucket, type Rate } from '../rates/token-bucket.js';

/** A task with a limited rate. Requests above the rate are combined into one later run. */
export class PacedTask {
  readonly #pace: TokenBucket;
  #timer: Timer | undefined;
  #closed = false;

  constructor(
    private readonly run: () => void,
    rate: Rate,
    private readonly clock: Clock = systemClock,
  ) {
    this.#pace = new TokenBucket(rate, clock);
  }

  ask(): void {
    if (this.#timer || this.#closed) return;
    if (this.#pace.take()) return this.run();
    this.#timer = this.clock.setTimeout(() => {
      this.#timer = undefined;
      this.ask();
    }, Math.ceil(this.#pace.wait()));
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}
