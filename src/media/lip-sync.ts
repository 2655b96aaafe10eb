import { SOUND_FORMAT } from '../protocol/index.js';

/** Capture times wrap. */
const LIMIT_MICROSECONDS = 2 ** 32;
/** A packet is captured when its last sample has come. */
const PACKET_MS = (SOUND_FORMAT.packetSamples / SOUND_FORMAT.sampleRate) * 1000;
/** What one frame counts for. */
const WEIGHT = 0.1;
/** A picture that has not changed for so long says nothing of how long pictures take. */
const STALE_MS = 2000;

/**
 * How much later a sound is heard than the picture of the same moment is seen. Both carry the host's capture time, so no clock has
 * to be synchronised. Times are milliseconds of `performance.now()`, capture times microseconds.
 */
export class LipSync {
  /** From capture to being shown, on clocks that have nothing to do with each other; smoothed. */
  #picture: number | undefined;
  #shownAt = 0;
  /** Milliseconds; negative: the sound came first. */
  offset: number | undefined;

  /** A picture is shown. */
  shown(captureTime: number, now: number): void {
    const stale = now - this.#shownAt > STALE_MS;
    this.#shownAt = now;
    const delay = now - captureTime / 1000;
    if (this.#picture === undefined || stale) this.#picture = delay;
    else this.#picture += unwrapped(delay - this.#picture) * WEIGHT;
  }

  /** How much later than at `now` a sound should be heard; below 0: it is late. Undefined while no pictures come. */
  wait(captureTime: number, now: number): number | undefined {
    if (this.#picture === undefined || now - this.#shownAt > STALE_MS) return undefined;
    return unwrapped(this.#picture - (now - captureTime / 1000) - PACKET_MS);
  }

  /** A sound will be heard at `heard`. */
  heard(captureTime: number, heard: number): void {
    const wait = this.wait(captureTime, heard);
    this.offset = wait === undefined ? undefined : -wait;
  }
}

/** The difference of two delays, each of which may be off by whole turns of the capture clock. */
function unwrapped(milliseconds: number): number {
  const turn = LIMIT_MICROSECONDS / 1000;
  return milliseconds - Math.round(milliseconds / turn) * turn;
}
