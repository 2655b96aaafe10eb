/** Statistics of the picture. Rates and medians are over the last second, times in milliseconds. */
export interface MediaFigures {
  /** Painted frames per second. */
  framesPerSecond: number;
  /** Received payload bits per second. */
  bitsPerSecond: number;
  /**
   * Median time of a packet in the decoder, with its wait for earlier packets. Undefined if no frame was
   * painted in the last second.
   */
  decodeTime: number | undefined;
  /**
   * Median time from sending an input event to painting the first frame that shows its effect, over the last
   * 60 such frames. Undefined before the first one.
   */
  inputToPhoton: number | undefined;
  /** Painted frames since the start. */
  framesPainted: number;
  /** Dropped frames since the start, for example outdated ones. */
  framesDropped: number;
}

/** Statistics before the first packet. */
export const NO_FIGURES: MediaFigures = {
  framesPerSecond: 0,
  bitsPerSecond: 0,
  decodeTime: undefined,
  inputToPhoton: undefined,
  framesPainted: 0,
  framesDropped: 0,
};

/** Time window of the statistics in milliseconds. The rates are per second, for any length of the window. */
const WINDOW_MS = 1000;
/**
 * Number of samples for `inputToPhoton`. It is large enough for a stable median, and small enough to follow a
 * change.
 */
const LATENCY_SAMPLES = 60;

interface Sample {
  at: number;
  value: number;
}

/** Counts packets and frames. */
export class MediaMeter {
  readonly #received: Sample[] = [];
  readonly #painted: Sample[] = [];
  readonly #latencies: number[] = [];
  #framesPainted = 0;
  #framesDropped = 0;

  /** Records a received packet. `at` is the time on a monotonic clock. All calls must use the same clock. */
  received(bytes: number, at: number): void {
    record(this.#received, { at, value: bytes });
  }

  painted(decodeTime: number, at: number): void {
    this.#framesPainted += 1;
    record(this.#painted, { at, value: decodeTime });
  }

  dropped(): void {
    this.#framesDropped += 1;
  }

  inputShown(latency: number): void {
    this.#latencies.push(latency);
    if (this.#latencies.length > LATENCY_SAMPLES) this.#latencies.shift();
  }

  snapshot(at: number): MediaFigures {
    forget(this.#received, at);
    forget(this.#painted, at);
    const bytes = this.#received.reduce((sum, { value }) => sum + value, 0);
    return {
      framesPerSecond: (this.#painted.length * 1000) / WINDOW_MS,
      bitsPerSecond: (bytes * 8 * 1000) / WINDOW_MS,
      decodeTime: median(this.#painted.map(({ value }) => value)),
      inputToPhoton: median(this.#latencies),
      framesPainted: this.#framesPainted,
      framesDropped: this.#framesDropped,
    };
  }
}

function record(samples: Sample[], sample: Sample): void {
  samples.push(sample);
  forget(samples, sample.at);
}

function forget(samples: Sample[], now: number): void {
  const kept = samples.findIndex(({ at }) => now - at < WINDOW_MS);
  samples.splice(0, kept < 0 ? samples.length : kept);
}

function median(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}
