/** Milliseconds between two key frames of a picture that changes. A player can start at each. */
export const KEY_FRAME_MS = 15_000;
/**
 * Pictures between two key frames at most, while no viewer sees the stream. A player decodes them all for a
 * seek. A viewer would receive the large key frame too, so while one watches only the time counts.
 */
export const KEY_FRAME_PICTURES = 150;

/** Decides when the next picture of a recording should be a key frame. */
export class KeyFrameSchedule {
  /** Time of the last key frame, or of the request for it. */
  #last = -Infinity;
  /** Pictures since then. */
  #dependent = 0;

  /** Handles a picture. Returns true if a key frame should be requested now. */
  picture(keyFrame: boolean, now: number, isWatched: boolean): boolean {
    this.#dependent += 1;
    const isDue = !keyFrame && (this.isOld(now) || (!isWatched && this.#dependent >= KEY_FRAME_PICTURES));
    if (keyFrame || isDue) {
      this.#last = now;
      this.#dependent = 0;
    }
    return isDue;
  }

  /** Returns true if the last key frame is too long ago. */
  isOld(now: number): boolean {
    return now - this.#last >= KEY_FRAME_MS;
  }
}
