/**
 * Between the arrival of a sound and its playing at first: a packet, since the sound server gives pieces of 12 ms. What a line needs
 * beyond that shows soon. With the packet itself and the way to the loudspeaker, a sound is heard some 40 ms after its picture then.
 */
const FIRST_CUSHION_SECONDS = 0.02;
/** Added whenever that was not enough. */
const CUSHION_STEP_SECONDS = 0.01;
/** How much of what was not needed is taken back at a silence: a short sound without gaps says little of the next. */
const CUSHION_BACK_SHARE = 0.5;
/** More than this is heard as a lag behind the picture. */
const MAX_CUSHION_SECONDS = 0.2;
/** Sound that may wait beyond the cushion; more is left out, so that sound never lags behind the picture. */
const MAX_LEAD_SECONDS = 0.15;
/** What even the latest packet of a while must have had to spare. */
const SPARE_SECONDS = 0.012;
/** Packets in such a while: 3 s. */
const WINDOW_PACKETS = 150;
/** Of so many, 0.5 s, even the earliest may not wait so much longer than it should: that is caught up without waiting for a whole while. */
const RECENT_PACKETS = 25;
const TOO_LATE_SECONDS = 0.03;
/** Less is not worth a change. */
const WORTH_SECONDS = 0.008;
/** How much faster or slower sound is played while it is moved in time: too little to be heard. */
const STRETCH = 0.02;

/** When a sound is played, and how fast. */
export interface Planned {
  /** On the clock of `now`, seconds. */
  at: number;
  /** 1 is as it was recorded. */
  rate: number;
}

/** Decides when each sound is played: as early as goes without gaps, as far as arrivals of late tell. Clocks are in seconds. */
export class SoundSchedule {
  #cushion = FIRST_CUSHION_SECONDS;
  /** When the next sound is due; undefined after silence. */
  #due: number | undefined;
  #least = Infinity;
  #packets = 0;
  /** As the two above, of late. */
  #recentLeast = Infinity;
  #recentPackets = 0;
  /** What is left of a move in time; above 0: earlier. */
  #move = 0;
  /** There was a gap since the last silence. */
  #dry = false;
  /** Since the start: how often it ran dry. */
  gaps = 0;

  /** What follows does not go on from what was: there was silence, or nobody listened. */
  pause(): void {
    this.#due = undefined;
    const excess = this.#least - SPARE_SECONDS;
    if (!this.#dry && excess > 0) this.#shrink(excess * CUSHION_BACK_SHARE);
    this.#dry = false;
    this.#move = 0;
    this.#begin();
  }

  /**
   * Plans a sound that has arrived now. Undefined: it is left out, since too much waits.
   *
   * @param wanted how long it should wait for its picture, below 0: it is late; undefined while no pictures come
   */
  plan(now: number, duration: number, wanted?: number): Planned | undefined {
    const dry = this.#due !== undefined && this.#due < now;
    if (dry) {
      this.gaps += 1;
      this.#dry = true;
      this.#cushion = Math.min(this.#cushion + CUSHION_STEP_SECONDS, MAX_CUSHION_SECONDS);
      this.#begin();
      // One that hurries back into the next gap has won nothing.
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
