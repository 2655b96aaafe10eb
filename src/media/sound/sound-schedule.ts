/**
 * Initial delay between the arrival of a sound and its playback. It is the duration of one packet. The sound
 * server sends pieces of 12 ms, so packets of 20 ms do not arrive at regular intervals, and a shorter delay
 * could cause gaps. If the network needs a longer delay, the schedule measures this soon. The duration of the
 * packet and the delay of the audio output are added, so a sound plays about 40 ms after its picture.
 */
const FIRST_CUSHION_SECONDS = 0.02;
/** Increase of the delay after each gap. */
const CUSHION_STEP_SECONDS = 0.01;
/**
 * Share of the unused delay that is removed during a silence. The rest stays, because the next sound may need
 * it.
 */
const CUSHION_BACK_SHARE = 0.5;
/** Maximum delay. With a longer delay, users hear that the sound lags behind the picture. */
const MAX_CUSHION_SECONDS = 0.2;
/**
 * Maximum waiting time of sound in addition to the delay. A packet that would wait longer is dropped, so that
 * sound does not lag far behind the picture.
 */
const MAX_LEAD_SECONDS = 0.15;
/**
 * Reserve after a correction: even the latest packet of a measuring window then arrives this long before its
 * playback.
 */
const SPARE_SECONDS = 0.012;
/** Packets per measuring window: 3 s. */
const WINDOW_PACKETS = 150;
/**
 * Packets per short window: 0.5 s. If every packet of a short window waits too long, the schedule starts a
 * correction without waiting for a full window. The second number is the limit for the wait, in addition to
 * the delay.
 */
const RECENT_PACKETS = 25;
const TOO_LATE_SECONDS = 0.03;
/** Minimum size of a correction after a full window. Smaller corrections are ignored. */
const WORTH_SECONDS = 0.008;
/** Change of the playback speed during a correction. It is too small to be audible. */
const STRETCH = 0.02;

/** Planned playback of a sound. */
export interface Planned {
  /** Start time on the clock of `now`, in seconds. */
  at: number;
  /** Playback speed. 1 is the recorded speed. */
  rate: number;
}

/**
 * Plans the playback of each sound: as early as possible without gaps, based on recent arrivals. Times are in
 * seconds.
 */
export class SoundSchedule {
  #cushion = FIRST_CUSHION_SECONDS;
  /** Time at which the last planned sound ends, and the next one starts. Undefined after silence. */
  #due: number | undefined;
  #least = Infinity;
  #packets = 0;
  /** `#least` and `#packets` for the short window. */
  #recentLeast = Infinity;
  #recentPackets = 0;
  /** Remaining correction in seconds. Above 0: sounds must play earlier. Below 0: later. */
  #move = 0;
  /** True if there was a gap since the last silence. */
  #dry = false;
  /** Number of gaps since the start. */
  gaps = 0;

  /** Records a pause in the sound: there was silence, or no audio output was available. */
  pause(): void {
    this.#due = undefined;
    const excess = this.#least - SPARE_SECONDS;
    if (!this.#dry && excess > 0) this.#shrink(excess * CUSHION_BACK_SHARE);
    this.#dry = false;
    this.#move = 0;
    this.#begin();
  }

  /**
   * Plans a sound that has arrived now. Returns undefined if it must be dropped because too much sound is
   * waiting.
   *
   * @param wanted seconds until the picture of this sound is shown. Below 0 if the sound is late. Undefined
   *   while there are no pictures
   */
  plan(now: number, duration: number, wanted?: number): Planned | undefined {
    const dry = this.#due !== undefined && this.#due < now;
    if (dry) {
      this.gaps += 1;
      this.#dry = true;
      this.#cushion = Math.min(this.#cushion + CUSHION_STEP_SECONDS, MAX_CUSHION_SECONDS);
      this.#begin();
      // Postpones the next correction, because an immediate correction would cause the next gap.
      this.#packets -= 3 * WINDOW_PACKETS;
    }
    const wait = Math.min(Math.max(this.#cushion, wanted ?? 0), MAX_CUSHION_SECONDS);
    const at = this.#due === undefined || dry ? now + wait : this.#due;
    if (at - now > wait + MAX_LEAD_SECONDS) return undefined;
    this.#observe(at - now, wanted);
    const rate = 1 + STRETCH * Math.sign(this.#move);
    const step = (duration * (rate - 1)) / rate;
    this.#move = Math.abs(step) < Math.abs(this.#move) ? this.#move - step : 0;
    this.#due = at + duration / rate;
    return { at, rate };
  }

  #observe(lead: number, wanted: number | undefined): void {
    this.#least = Math.min(this.#least, lead);
    const forPicture = Math.min(wanted ?? 0, MAX_CUSHION_SECONDS);
    this.#recentLeast = Math.min(this.#recentLeast, lead);
    if (++this.#recentPackets === RECENT_PACKETS) {
      const late = this.#recentLeast - Math.max(this.#cushion, forPicture);
      if (wanted !== undefined && late > TOO_LATE_SECONDS) this.#move = late;
      this.#beginRecent();
    }
    if (++this.#packets < WINDOW_PACKETS) return;
    const excess = this.#least - Math.max(SPARE_SECONDS, forPicture);
    if (Math.abs(excess) > WORTH_SECONDS) {
      this.#move = excess;
      if (excess > 0) this.#shrink(excess);
    }
    this.#begin();
  }

  #shrink(seconds: number): void {
    this.#cushion = Math.max(FIRST_CUSHION_SECONDS, this.#cushion - seconds);
  }

  #begin(): void {
    this.#least = Infinity;
    this.#packets = 0;
    this.#beginRecent();
  }

  #beginRecent(): void {
    this.#recentLeast = Infinity;
    this.#recentPackets = 0;
  }
}
