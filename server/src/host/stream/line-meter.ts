/** Minimum number of samples in the estimate, even if they are old. */
const MIN_SAMPLES = 8;
/**
 * Age up to which all samples are used, milliseconds. If the line becomes slower, the estimate follows after
 * this time.
 */
const SAMPLE_AGE_MS = 3_000;
/**
 * Minimum bytes of a sample. With fewer bytes, the jitter of the network would be larger than the measured
 * time.
 */
const SAMPLE_BYTES = 4_000;
/**
 * Length of a time window, milliseconds. The shortest round trip of the current and of the previous window
 * counts. So if the round trip becomes longer, this is noticed after at most two windows.
 */
const ROUND_TRIP_WINDOW_MS = 15_000;
/** Lines with a shorter round trip are fast local lines without limits. Milliseconds. */
const NEAR_MS = 5;
/** Bytes per millisecond above which a line has no limits (40 Mbit/s). */
const FAST = 5_000;
/**
 * The answer to a ping counts as a stall if it takes longer than the sum of three durations: the round trip
 * multiplied by `share`, the transmission of the bytes before the ping, and `more` milliseconds. Then TCP
 * probably had to repeat a packet.
 */
const STALL = { share: 1.5, more: 20 };
/** A line counts as lossy if it had this number of stalls within `within` milliseconds. */
const LOSSY = { stalls: 2, within: 30_000 };
/** Frames that follow each other within this time are measured together, milliseconds. */
const BURST_MS = 5;
/**
 * The round trip is certain after this number of answers that took at most `within` milliseconds longer than
 * the shortest round trip. An answer counts only if its ping was sent over an empty line, and if the frames
 * just before the ping had fewer than `bytes` bytes.
 */
const CERTAIN = { answers: 2, within: 3, bytes: 1_500 };
/**
 * Share by which the measured round trip may be too long until it is certain. The viewer's browser may have
 * been busy, or files of the page may have been on the line. Without this allowance, the transmission of a
 * frame could look infinitely fast.
 */
const ROUND_TRIP_ERROR = 0.5;
/** After this number of sent bytes, a viewer is not new any more, even without a measured frame. */
const UNMEASURED_BYTES = 400_000;
/** A viewer is silent if no answer arrived for this long, milliseconds. */
const SILENT_MS = 80;
/** Maximum number of pings in flight. A viewer that answers no pings gets only this number of pings. */
const MAX_PINGS = 64;

/** A ping on its way, with the state of the line when it was sent. */
interface Ping {
  id: number;
  sentAt: number;
  /** Total number of bytes sent before the ping. */
  total: number;
  /**
   * Bytes of the frames that were sent just before the ping, and the time when the first of them was sent.
   */
  own: number;
  ownSentAt: number;
  /**
   * Bytes that had arrived according to the answers before the ping, and the time of the last of these
   * answers.
   */
  arrived: number;
  arrivedAt: number;
  /** Sending time of the newest ping that had been answered before this ping. */
  answeredSentAt: number;
  /** True if almost nothing was on the line. */
  alone: boolean;
}

/** Bytes whose arrival was measured. */
interface Sample {
  at: number;
  bytes: number;
  /** Time from sending to the answer, milliseconds. It includes the round trip. */
  delay: number;
  /** Bytes per millisecond between two answers. 0 if it is not known. */
  between: number;
}

/**
 * Measures the round trip and the delivery rate of one viewer's line (its network connection). After a frame
 * the host sends a ping of the WebSocket protocol. Browsers answer it in their network process, so decoding
 * and painting do not count. A sample cannot exceed the line's rate, so the estimate is the largest of the
 * recent samples. A lost packet makes single samples smaller and does not change the estimate. But a round
 * trip that was measured with a queue is too long, and would make the samples too large. So the rate is
 * always computed with the shortest known round trip.
 */
export class LineMeter {
  readonly #pings: Ping[] = [];
  #samples: Sample[] = [];
  /** Times of the newest stalls. */
  readonly #stalls: number[] = [];
  #lastId = 0;
  #total = 0;
  #burst = { bytes: 0, at: -Infinity, lastAt: -Infinity };
  #arrived = 0;
  #arrivedAt = -Infinity;
  #answeredSentAt = -Infinity;
  /**
   * Bytes that were still waiting for their transmission at the time `at`, calculated with the measured rate.
   */
  #queue = { bytes: 0, at: -Infinity };
  /** Shortest round trips of the current and of the previous window. */
  #shortest: [present: number, previous: number] = [Infinity, Infinity];
  /** Number of answers that confirm the shortest round trip, see {@link CERTAIN}. */
  #confirmations = 0;
  #windowEnd: number;

  /** @param now milliseconds on a monotonic clock */
  constructor(private readonly now: () => number) {
    this.#windowEnd = now() + ROUND_TRIP_WINDOW_MS;
  }

  /** Shortest time for a message to the viewer and back, in milliseconds. Infinity while it is not known. */
  get roundTrip(): number {
    return Math.min(...this.#shortest);
  }

  /**
   * True if the viewer is known to be far away. Only then the host uses the measured rate, and sends probes
   * for lost packets.
   */
  get isDistant(): boolean {
    return this.roundTrip >= NEAR_MS && this.roundTrip !== Infinity;
  }

  /** True if the round trip was measured several times while nothing else was on the line. */
  get isCertain(): boolean {
    return this.#confirmations >= CERTAIN.answers;
  }

  /** True if the viewer is not known to be near, and the rate of its line was not measured yet. */
  get isNew(): boolean {
    return this.roundTrip >= NEAR_MS && this.#samples.length === 0 && this.#total < UNMEASURED_BYTES;
  }

  /** Bytes per millisecond. Infinity if they are not known, or if the line is fast. */
  get rate(): number {
    if (!this.isDistant || this.#samples.length === 0) return Infinity;
    const { roundTrip } = this;
    const error = this.isCertain ? 0 : roundTrip * ROUND_TRIP_ERROR;
    const rate = Math.max(...this.#samples.map((sample) => rateOf(sample, roundTrip, error)));
    return rate > 0 && rate < FAST ? rate : Infinity;
  }

  /** True if packets were lost repeatedly in the recent past. */
  get isLossy(): boolean {
    const [oldest] = this.#stalls;
    const { stalls, within } = LOSSY;
    return oldest !== undefined && this.#stalls.length === stalls && oldest > this.now() - within;
  }

  /** Bytes of frames that have not arrived, according to the newest answer. */
  get inFlight(): number {
    return this.#total - this.#arrived;
  }

  /**
   * Bytes that wait for their transmission, calculated with the measured rate. {@link inFlight} also counts
   * bytes that are on the way, bytes that have arrived behind a lost packet, and bytes whose arrival was not
   * reported yet.
   */
  get queued(): number {
    const { bytes, at } = this.#queue;
    const { rate } = this;
    return rate === Infinity ? 0 : Math.max(0, bytes - rate * (this.now() - at));
  }

  /**
   * True if no answer arrived for some time. Then TCP is probably repeating a packet in one of the
   * directions.
   */
  get isSilent(): boolean {
    return this.now() - this.#arrivedAt > SILENT_MS;
  }

  /** Records a frame. */
  sent(bytes: number): void {
    this.#total += bytes;
    const now = this.now();
    this.#queue = { bytes: this.queued + bytes, at: now };
    if (now - this.#burst.lastAt > BURST_MS) this.#burst = { bytes: 0, at: now, lastAt: now };
    this.#burst.bytes += bytes;
    this.#burst.lastAt = now;
  }

  /** Records that all frames have arrived. */
  allArrived(): void {
    this.#arrived = this.#total;
  }

  /** Records a ping that is sent now, and returns its number. Undefined if no ping should be sent. */
  ping(): number | undefined {
    if (this.#pings.length >= MAX_PINGS) return undefined;
    const now = this.now();
    // After a pause nothing is known about the time between two answers.
    const idle = this.#pings.length === 0;
    const arrivedAt = idle ? -Infinity : this.#arrivedAt;
    const answeredSentAt = idle ? now : this.#answeredSentAt;
    // Earlier frames may have arrived before this ping was sent, so they do not count.
    const { bytes, at, lastAt } = this.#burst;
    const own = now - lastAt > BURST_MS ? 0 : bytes;
    const ownSentAt = own === 0 ? now : at;
    this.#burst = { bytes: 0, at: now, lastAt: now };
    this.#lastId = (this.#lastId + 1) >>> 0;
    const [total, arrived] = [this.#total, idle ? this.#total - own : this.#arrived];
    const alone = idle && own < CERTAIN.bytes;
    this.#pings.push({
      ...{ id: this.#lastId, sentAt: now, total, own, ownSentAt, arrived, arrivedAt, answeredSentAt, alone },
    });
    return this.#lastId;
  }

  /** Records the answer to a ping. It also confirms all earlier pings. An unknown number has no effect. */
  ponged(id: number): void {
    const index = this.#pings.findIndex((ping) => ping.id === id);
    const ping = this.#pings[index];
    if (!ping) return;
    const own = this.#pings.slice(0, index + 1).reduce((sum, each) => sum + each.own, 0);
    const first = this.#pings[0] ?? ping;
    this.#pings.splice(0, index + 1);
    const now = this.now();
    this.#recordRoundTrip(now - ping.sentAt, now, ping.alone);
    const before = ping.total - this.#arrived;
    // Before the first sample, a large frame on a slow line would look like a stall.
    if (this.#samples.length > 0 || before < SAMPLE_BYTES)
      this.#recordStall(now - ping.sentAt, before / this.rate, now);
    const elapsed = Math.max(now - ping.arrivedAt, ping.sentAt - ping.answeredSentAt);
    const between = (ping.total - ping.arrived) / Math.max(1, elapsed);
    this.#arrived = Math.max(this.#arrived, ping.total);
    this.#arrivedAt = now;
    this.#answeredSentAt = ping.sentAt;
    if (own >= SAMPLE_BYTES) this.#record({ at: now, bytes: own, delay: now - first.ownSentAt, between });
  }

  #recordRoundTrip(time: number, now: number, alone: boolean): void {
    const before = this.roundTrip;
    if (now >= this.#windowEnd) {
      this.#shortest = [Infinity, this.#shortest[0]];
      this.#windowEnd = now + ROUND_TRIP_WINDOW_MS;
    }
    this.#shortest[0] = Math.min(this.#shortest[0], time);
    const { roundTrip } = this;
    if (Math.abs(roundTrip - before) > CERTAIN.within) this.#confirmations = 0;
    if (alone && time <= roundTrip + CERTAIN.within) this.#confirmations++;
  }

  /** @param transmission milliseconds that the line needed for the bytes before the answered ping */
  #recordStall(delay: number, transmission: number, now: number): void {
    const expected = this.roundTrip * STALL.share + transmission + STALL.more;
    const last = this.#stalls.at(-1) ?? -Infinity;
    // The answers that one stall held back arrive together, and count as one stall.
    if (delay <= expected || now - last < this.roundTrip * STALL.share) return;
    this.#stalls.push(now);
    if (this.#stalls.length > LOSSY.stalls) this.#stalls.shift();
  }

  #record(sample: Sample): void {
    this.#samples.push(sample);
    const old = this.#samples.findIndex(({ at }) => at >= sample.at - SAMPLE_AGE_MS);
    const drop = Math.min(old === -1 ? this.#samples.length : old, this.#samples.length - MIN_SAMPLES);
    if (drop > 0) this.#samples = this.#samples.slice(drop);
  }
}

/**
 * Returns the bytes per millisecond that a sample shows.
 *
 * @param error milliseconds by which the round trip can be too long
 */
function rateOf({ bytes, delay, between }: Sample, roundTrip: number, error: number): number {
  // This sample itself defined the shortest round trip, so it does not show how long the transmission took.
  if (delay <= roundTrip) return between;
  return Math.max(between, bytes / Math.max(1, delay - roundTrip + error));
}
