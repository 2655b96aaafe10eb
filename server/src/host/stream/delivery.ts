import { LineMeter } from './line-meter.js';

/**
 * A viewer receives no frames while its oldest unacknowledged frame is older than the viewer's best round
 * trip plus this time.
 */
const BUDGET_MS = 200;
/**
 * Time allowed for reading and encoding a frame. A viewer that was ready at the start of this time still gets
 * the frame at its end. Otherwise the viewer would miss the frame and need a key frame. On a slow line, a key
 * frame takes longer than other frames, so the viewer would never catch up.
 */
const ENCODING_MS = 60;
/**
 * Time for which frames may wait in the line, if the line's rate is known. The bytes in flight are limited to
 * the number that the line delivers in this time plus one round trip. More bytes would only delay later
 * frames.
 */
const QUEUE_MS = 40;
/** Maximum number of frames in flight to a viewer that has not acknowledged any yet. */
const FIRST_FRAMES = 4;
/**
 * Maximum number of frames in flight to any viewer, also over a slow connection: two seconds at 60 frames a
 * second.
 */
const MAX_IN_FLIGHT = 120;

/**
 * Tracks the frames in flight to one viewer. A viewer acknowledges each frame that it has decoded. The limit
 * for an acknowledgement is the viewer's best round trip plus a fifth of a second. If the oldest frame
 * exceeds this limit, the viewer gets no more frames until it has caught up.
 */
export class Delivery {
  /** Measures the viewer's line (its network connection). Measures nothing if the viewer answers no pings. */
  readonly line: LineMeter;
  #inFlight: { frame: number; sentAt: number }[] = [];
  /**
   * Shortest time from sending to acknowledgement, in milliseconds. This is the time of network and decoder
   * without a queue.
   */
  #fastest = Infinity;
  /** True if the viewer missed a frame. Then its next frame must be a key frame. */
  needsKeyFrame = true;

  /** @param now milliseconds on a monotonic clock */
  constructor(private readonly now: () => number) {
    this.line = new LineMeter(now);
  }

  /** True if the host can start to encode a frame for the viewer now. */
  get ready(): boolean {
    return this.#fits(BUDGET_MS);
  }

  /** True if the viewer can receive a frame whose encoding started while the viewer was {@link ready}. */
  get takes(): boolean {
    return this.#fits(BUDGET_MS + ENCODING_MS);
  }

  /**
   * True if the line is slow and has enough bytes to transmit. A stream whose viewers all have such lines
   * waits. If another viewer of the stream can take a frame, this viewer gets the frame too, although its
   * line is full. Otherwise it would miss the frame and need a key frame.
   */
  get lineIsFull(): boolean {
    const { inFlight, rate, roundTrip, isSilent, queued } = this.line;
    if (rate === Infinity || inFlight <= rate * (roundTrip + QUEUE_MS)) return false;
    // While TCP repeats a packet, no answer arrives, but the line still transmits the packets behind it. Then
    // `inFlight` also counts bytes that have arrived, so it alone does not show that the line is full.
    return !isSilent || queued > rate * QUEUE_MS || inFlight > rate * (2 * roundTrip + QUEUE_MS);
  }

  /** True if no frame is in flight. Then no older frame delays a key frame. */
  get empty(): boolean {
    return this.#inFlight.length === 0;
  }

  /** Records a sent frame and its bytes. */
  sent(frame: number, bytes = 0): void {
    this.line.sent(bytes);
    this.#inFlight.push({ frame, sentAt: this.now() });
  }

  /** Records the acknowledgement of this frame and all before it. */
  acknowledged(frame: number): void {
    const index = this.#inFlight.findIndex((entry) => entry.frame === frame);
    const entry = this.#inFlight[index];
    if (!entry) return;
    this.#fastest = Math.min(this.#fastest, this.now() - entry.sentAt);
    this.#inFlight.splice(0, index + 1);
    // The viewer has received all frames, even if it no longer answers pings.
    if (this.empty) this.line.allArrived();
  }

  /** @param budget limit for the age of the oldest frame in flight, beyond the best round trip */
  #fits(budget: number): boolean {
    const oldest = this.#inFlight[0];
    if (!oldest) return true;
    if (this.#fastest === Infinity) return this.#inFlight.length < FIRST_FRAMES;
    // TCP needs a round trip to repeat a packet. A line with a known rate gets this time in addition. Its
    // queue stays short anyway, because the bytes in flight are limited too.
    const { rate, roundTrip } = this.line;
    const limit = this.#fastest + budget + (rate === Infinity ? 0 : roundTrip);
    return this.#inFlight.length < MAX_IN_FLIGHT && this.now() - oldest.sentAt < limit;
  }

  /** Forgets the frames in flight, because their stream is over. */
  reset(): void {
    this.#inFlight = [];
    this.needsKeyFrame = true;
  }
}
