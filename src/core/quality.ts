import type { ConnectionState } from './connection-states.js';

/**
 * How well a session can be used over this connection: `good`; `poor`: what is done shows late; `lost`: nothing comes or goes,
 * which is sought to be mended.
 */
export type ConnectionQuality = 'good' | 'poor' | 'lost';

/** A round trip, or a frame's lateness, beyond this is felt with every key; milliseconds. */
const POOR_MS = 300;
/** Only below this it is good again: between the two the verdict stays. */
const GOOD_MS = 180;
/** So bad that one sample is enough. */
const AWFUL_MS = 1000;
/** A ping that is unanswered for so long: nothing comes through at all. Below what ends the connection. */
const SILENT_MS = 4000;
/** Samples in a row that change the verdict, at one each 2 s. */
const SAMPLES_TO_POOR = 2;
const SAMPLES_TO_GOOD = 3;
/** What one frame counts for in the smoothed lateness. */
const FRAME_WEIGHT = 0.2;
/** Capture times wrap, microseconds. */
const CAPTURE_TIME_LIMIT = 2 ** 32;

/** Judges a connection by round trips, and by how much later frames arrive than the quickest of late. Slow to change its mind. */
export class QualityMeter {
  #value: ConnectionQuality | undefined;
  /** Samples in a row that speak for the other verdict. */
  #contrary = 0;
  #last: { captured: number; arrived: number } | undefined;
  /** How much later than the quickest the newest frame came, and that smoothed; milliseconds. */
  #late = 0;
  #lateness = 0;

  constructor(private readonly onChange: (quality: ConnectionQuality) => void) {}

  /** Undefined before the first round trip of a connection, and when it was ended. */
  get value(): ConnectionQuality | undefined {
    return this.#value;
  }

  /** A frame came in. `captured` is its capture time in microseconds, `arrived` in milliseconds on any clock that never goes back. */
  frame(captured: number, arrived: number): void {
    const last = this.#last;
    this.#last = { captured, arrived };
    if (!last) return;
    const apart = ((captured - last.captured + CAPTURE_TIME_LIMIT) % CAPTURE_TIME_LIMIT) / 1000;
    this.#late = Math.max(0, this.#late + arrived - last.arrived - apart);
    this.#lateness += (this.#late - this.#lateness) * FRAME_WEIGHT;
  }

  /** A round trip was measured, or is at least so long, in milliseconds. */
  sample(roundTrip: number): void {
    const worst = Math.max(roundTrip, this.#lateness);
    // A screen at rest sends no frames that could say that it is better now.
    this.#lateness /= 2;
    if (roundTrip >= SILENT_MS) this.#become('lost');
    else if (worst >= AWFUL_MS) this.#become('poor');
    else if (this.#value === undefined || this.#value === 'lost')
      this.#become(worst > POOR_MS ? 'poor' : 'good');
    else this.#weigh(worst);
  }

  /** The connection took a step. */
  state(state: ConnectionState): void {
    this.#last = undefined;
    this.#late = this.#lateness = 0;
    if (state === 'reconnecting' || state === 'failed') this.#become('lost');
    else if (state === 'closed') this.#value = undefined;
  }

  #weigh(worst: number): void {
    const good = this.#value === 'good';
    const contrary = good ? worst > POOR_MS : worst < GOOD_MS;
    this.#contrary = contrary ? this.#contrary + 1 : 0;
    if (this.#contrary >= (good ? SAMPLES_TO_POOR : SAMPLES_TO_GOOD)) this.#become(good ? 'poor' : 'good');
  }

  #become(value: ConnectionQuality): void {
    this.#contrary = 0;
    if (value === this.#value) return;
    this.#value = value;
    this.onChange(value);
  }
}
