import { pause, type Clock } from '../../platform/clock.js';
import { TokenBucket } from '../../platform/token-bucket.js';

/**
 * All files of a session together: 192 Mbit/s. The thread that passes them on encodes the picture as well, which is to go on
 * meanwhile.
 */
const PACE = { perSecond: 24e6, burst: 512 * 1024 };

/** Lets bytes pass no faster than the session's picture bears. */
export class FilePace {
  readonly #bucket: TokenBucket;

  constructor(private readonly clock: Clock) {
    this.#bucket = new TokenBucket(PACE, clock);
  }

  /** Resolves when so many bytes, at most 512 kB, may pass. */
  async pass(bytes: number): Promise<void> {
    while (!this.#bucket.take(bytes)) {
      const wait = Math.ceil(this.#bucket.wait(bytes));
      await pause(this.clock, wait);
    }
  }
}
