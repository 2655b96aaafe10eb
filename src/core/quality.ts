import type { ConnectionState } from './connection/connection-states.js';

/**
 * Quality of a connection. `poor`: reactions to input are visibly late. `lost`: the session does not answer,
 * or the connection is lost.
 */
export type ConnectionQuality = 'good' | 'poor' | 'lost';

/**
 * Limit for a round trip or for the delay of a frame. Above this limit, the quality becomes `poor`, because
 * users notice the delay of every key press. Milliseconds.
 */
const POOR_MS = 300;
/**
 * Limit for a round trip or for the delay of a frame, in milliseconds. Below this limit, a `poor` quality
 * becomes `good`. Between {@link GOOD_MS} and {@link POOR_MS}, the quality does not change.
 */
const GOOD_MS = 180;
/** Above this limit, one sample is enough for `poor`. */
const AWFUL_MS = 1000;
/**
 * If a ping is unanswered for this time, the quality is `lost`. This is shorter than the timeout that ends
 * the connection.
 */
const SILENT_MS = 4000;
/** Number of consecutive samples that change the quality. There are one or two samples every 2 s. */
const SAMPLES_TO_POOR = 2;
const SAMPLES_TO_GOOD = 3;
/** Weight of one frame in the smoothed lateness. */
const FRAME_WEIGHT = 0.2;
/**
 * Period after which capture times start again at 0, in milliseconds (72 minutes). A static screen may send
 * no frame for several periods, so {@link withoutTurns} removes all whole periods.
 */
const CAPTURE_TURN_MS = 2 ** 32 / 1000;
/**
 * Largest assumed difference in speed between the clocks of the host and of this machine. Without a
 * correction, it would look like a delay of the frames that grows by seconds per day.
 */
const CLOCK_DRIFT = 1e-4;

/**
 * Rates a connection by its round trips, and by the delay of frames compared with the fastest frame since the
 * last change of the connection's state. A change between `good` and `poor` needs several samples in a row. A
 * very late answer or frame changes the quality at once.
 */
export class QualityMeter {
  #value: ConnectionQuality | undefined;
  /** Samples in a row that contradict the current quality. */
  #contrary = 0;
  #last: { captured: number; arrived: number } | undefined;
  /** Delay of the newest frame compared with the fastest, and its smoothed value. Milliseconds. */
  #late = 0;
  #lateness = 0;

  constructor(private readonly onChange: (quality: ConnectionQuality) => void) {}

  /** Undefined until the first sample or the first lost connection, and after `closed`. */
  get value(): ConnectionQuality | undefined {
    return this.#value;
  }

  /**
   * Handles an incoming frame. `captured` is its capture time in microseconds. `arrived` is in milliseconds
   * on any monotonic clock.
   */
  frame(captured: number, arrived: number): void {
    const last = this.#last;
    this.#last = { captured, arrived };
    if (!last) return;
    const passed = arrived - last.arrived;
    const later = withoutTurns(passed - (captured - last.captured) / 1000);
    this.#late = Math.max(0, this.#late + later - passed * CLOCK_DRIFT);
    this.#lateness += (this.#late - this.#lateness) * FRAME_WEIGHT;
  }

  /** Handles a round trip in milliseconds. For an unanswered ping, pass the time since the ping was sent. */
  sample(roundTrip: number): void {
    const worst = Math.max(roundTrip, this.#lateness);
    // A static screen sends no frames, so without this line the lateness would never fall.
    this.#lateness /= 2;
    if (roundTrip >= SILENT_MS) this.#become('lost');
    else if (worst >= AWFUL_MS) this.#become('poor');
    else if (this.#value === undefined || this.#value === 'lost')
      this.#become(worst > POOR_MS ? 'poor' : 'good');
    else this.#weigh(worst);
  }

  /** Handles a change of the connection's state. */
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

/** Corrects a difference of times: removes the whole periods of {@link CAPTURE_TURN_MS}. */
function withoutTurns(milliseconds: number): number {
  return milliseconds - Math.round(milliseconds / CAPTURE_TURN_MS) * CAPTURE_TURN_MS;
}
