/** How old a viewer's oldest unacknowledged frame may be before the viewer is skipped, beyond its best round trip. */
const BUDGET_MS = 200;
/** Frames on their way to a viewer that has acknowledged none yet. */
const FIRST_FRAMES = 4;
/** Frames on their way to any viewer, however slow its line: two seconds at 60 frames a second. */
const MAX_IN_FLIGHT = 120;

/**
 * What is on its way to one viewer. A viewer acknowledges each frame that it has decoded; one whose oldest frame is out for
 * longer than its usual round trip plus a fifth of a second gets no more until it has caught up.
 */
export class Delivery {
  #inFlight: { frame: number; sentAt: number }[] = [];
  /** The shortest time from sending to acknowledgement, in ms: the network and the decoder without any queue. */
  #fastest = Infinity;
  /** The viewer missed a frame, so the next one it gets must be a key frame. */
  needsKeyFrame = true;

  /** @param now milliseconds on a monotonic clock */
  constructor(private readonly now: () => number) {}

  /** Whether the viewer can take a frame now. */
  get ready(): boolean {
    const oldest = this.#inFlight[0];
    if (!oldest) return true;
    if (this.#fastest === Infinity) return this.#inFlight.length < FIRST_FRAMES;
    return this.#inFlight.length < MAX_IN_FLIGHT && this.now() - oldest.sentAt < this.#fastest + BUDGET_MS;
  }

  /** Whether nothing is on its way: after a gap, a key frame then starts with an empty pipe. */
  get empty(): boolean {
    return this.#inFlight.length === 0;
  }

  sent(frame: number): void {
    this.#inFlight.push({ frame, sentAt: this.now() });
  }

  /** Takes an acknowledgement of this frame and all before it. */
  acknowledged(frame: number): void {
    const index = this.#inFlight.findIndex((entry) => entry.frame === frame);
    const entry = this.#inFlight[index];
    if (!entry) return;
    this.#fastest = Math.min(this.#fastest, this.now() - entry.sentAt);
    this.#inFlight.splice(0, index + 1);
  }

  /** Forgets what is on its way: the stream it belongs to is over. */
  reset(): void {
    this.#inFlight = [];
    this.needsKeyFrame = true;
  }
}
