import { pause, type Clock } from '../../../platform/time/clock.js';
import { TokenBucket } from '../../../platform/rates/token-bucket.js';

/**
 * Rate of all files of a session together: 192 Mbit/s. The same thread encodes the picture, and the picture
 * must not stop.
 */
const PACE = { perSecond: 24e6, burst: 512 * 1024 };

/** Limits the rate of file transfers, so that the picture keeps its frame rate. */
export class FilePace {
  readonly #bucket: TokenBucket;

  constructor(private readonly clock: Clock) {
    this.#bucket = new TokenBucket(PACE, clock);
  }

  /** Resolves when this many bytes may be transferred. One call may pass at most 512 KiB. */
  async pass(bytes: number): Promise<void> {
    while (!this.#bucket.take(bytes)) {
      const wait = Math.ceil(this.#bucket.wait(bytes));
      await pause(this.clock, wait);
    }
  }
}
