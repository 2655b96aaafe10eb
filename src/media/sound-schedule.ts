/** Between the arrival of a sound and its playing at first: a packet and a half. What a line needs beyond that shows soon. */
const FIRST_CUSHION_SECONDS = 0.03;
/** Added whenever that was not enough. */
const CUSHION_STEP_SECONDS = 0.01;
/** Taken back at every silence after a sound without gaps. */
const CUSHION_BACK_SECONDS = 0.002;
/** More than this is heard as a lag behind the picture. */
const MAX_CUSHION_SECONDS = 0.2;
/** Sound that may wait beyond the cushion; more is left out, so that sound never lags behind the picture. */
const MAX_LEAD_SECONDS = 0.15;
/** What even the latest packet of a while must have had to spare. */
const SPARE_SECONDS = 0.012;
/** Packets in such a while: 3 s. */
const WINDOW_PACKETS = 150;
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
  /** What is left of a move in time; above 0: earlier. */
  #move = 0;
  /** There was a gap since the last silence. */
  #dry = false;
  /** Since the start: how often it ran dry. */
  gaps = 0;

  /** What follows does not go on from what was: there was silence, or nobody listened. */
  pause(): void {
    this.#due = undefined;
    if (!this.#dry) this.#shrink(CUSHION_BACK_SECONDS);
    this.#dry = false;
  }

  /**
   * Plans a sound that has arrived now. Undefined: it is left out, since too much waits.
   *
   * @param wanted how long it should wait for its picture; 0 for none
   */
  plan(now: number, duration: number, wanted: number): Planned | undefined {
    const dry = this.#due !== undefined && this.#due < now;
    if (dry) {
      this.gaps += 1;
      this.#dry = true;
      this.#cushion = Math.min(this.#cushion + CUSHION_STEP_SECONDS, MAX_CUSHION_SECONDS);
      this.#begin();
      // One that hurries back into the next gap has won nothing.
      this.#packets -= 3 * WINDOW_PACKETS;
    }
    const wait = Math.min(Math.max(this.#cushion, wanted), MAX_CUSHION_SECONDS);
    const at = this.#due === undefined || dry ? now + wait : this.#due;
    if (at - now > wait + MAX_LEAD_SECONDS) return undefined;
    this.#observe(at - now, wanted);
    const rate = 1 + STRETCH * Math.sign(this.#move);
    const step = (duration * (rate - 1)) / rate;
    this.#move = Math.abs(step) < Math.abs(this.#move) ? this.#move - step : 0;
    this.#due = at + duration / rate;
    return { at, rate };
  }

  #observe(lead: number, wanted: number): void {
    this.#least = Math.min(this.#least, lead);
    if (++this.#packets < WINDOW_PACKETS) return;
    const excess = this.#least - Math.max(SPARE_SECONDS, Math.min(wanted, MAX_CUSHION_SECONDS));
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
  }
}
