import { SOUND_FORMAT } from '../../protocol/index.js';

/** Capture times wrap at this value. Microseconds. */
const LIMIT_MICROSECONDS = 2 ** 32;
/** Duration of a packet in milliseconds. The capture time of a packet is the time of its last sample. */
const PACKET_MS = (SOUND_FORMAT.packetSamples / SOUND_FORMAT.sampleRate) * 1000;
/** Weight of one frame in the moving average. */
const WEIGHT = 0.1;
/** After this time without a new picture, the measured delay of pictures is outdated. Milliseconds. */
const STALE_MS = 2000;

/**
 * Measures the delay of the sound compared with the picture of the same moment. Both have a capture time of
 * the host's clock, so that no clocks have to be synchronized. Times are milliseconds of `performance.now()`.
 * Capture times are microseconds.
 */
export class LipSync {
  /**
   * Smoothed difference between the display time, by this machine's clock, and the capture time, by the
   * host's clock. The clocks are not synchronized, so this value is useful only in comparison with the same
   * difference for the sound.
   */
  #picture: number | undefined;
  #shownAt = 0;
  /**
   * Delay of the sound in milliseconds. Negative if the sound was played before its picture. Undefined before
   * the first measurement, and while there are no pictures.
   */
  offset: number | undefined;

  /** Records a displayed picture. */
  shown(captureTime: number, now: number): void {
    const stale = now - this.#shownAt > STALE_MS;
    this.#shownAt = now;
    const delay = now - captureTime / 1000;
    if (this.#picture === undefined || stale) this.#picture = delay;
    else this.#picture += unwrapped(delay - this.#picture) * WEIGHT;
  }

  /**
   * Returns the milliseconds by which a sound that would play at `now` is ahead of its picture. Negative if
   * the sound is late. Undefined while there are no pictures.
   */
  wait(captureTime: number, now: number): number | undefined {
    if (this.#picture === undefined || now - this.#shownAt > STALE_MS) return undefined;
    return unwrapped(this.#picture - (now - captureTime / 1000) - PACKET_MS);
  }

  /** Records the time at which a sound will play. */
  heard(captureTime: number, heard: number): void {
    const wait = this.wait(captureTime, heard);
    this.offset = wait === undefined ? undefined : -wait;
  }
}

/** Corrects a difference of two delays for wraparounds of the capture clock. */
function unwrapped(milliseconds: number): number {
  const turn = LIMIT_MICROSECONDS / 1000;
  return milliseconds - Math.round(milliseconds / turn) * turn;
}
