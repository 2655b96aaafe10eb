/**
 * Usual minimum time between two requested key frames, in milliseconds. A key frame may be requested earlier
 * in two cases: after {@link KEY_FRAME_PICTURES} pictures if no viewer watches, or when the bytes since the
 * last key frame reach the maximum, if there is one.
 */
export const KEY_FRAME_MS = 15_000;
/**
 * Number of pictures after which the next key frame is due. For a seek, a player may have to decode all
 * pictures since the last key frame. Viewers also receive the large key frame. So while a viewer watches,
 * {@link KEY_FRAME_MS} must have passed as well.
 */
export const KEY_FRAME_PICTURES = 150;
/**
 * Longest time between two key frames in milliseconds. It determines the target duration of a recording's
 * playlist, because a segment ends at a key frame.
 */
export const LONGEST_MS = 240_000;
/** Average bytes a second that key frames of an unchanged picture may take. */
const REST_BYTES_PER_SECOND = 1_000;

/**
 * Decides when the next picture of a recording should be a key frame. Key frames are large: one key frame of
 * a page of text has as many bytes as an hour of pictures that do not change. So the next key frame is due
 * when the pictures and sound since the last key frame have as many bytes as that key frame. Each second
 * counts as {@link REST_BYTES_PER_SECOND} additional bytes. A key frame is due earlier if many pictures
 * depend on the last key frame.
 */
export class KeyFrameSchedule {
  /** Time of the last key frame, or of the request for it. */
  #last = -Infinity;
  /** Bytes of the last key frame. */
  #size = 0;
  /** Pictures and bytes since the last key frame, or since the request for it. */
  #pictures = 0;
  #bytes = 0;

  /**
   * @param longestMs longest time between two key frames in milliseconds, {@link LONGEST_MS} at most
   * @param mostBytes bytes since the last key frame after which the next one is due at once
   */
  constructor(
    private readonly longestMs: number,
    private readonly mostBytes = Infinity,
  ) {}

  /** Handles a picture. Returns true if a key frame should be requested now. */
  picture(data: Uint8Array, keyFrame: boolean, now: number, isWatched: boolean): boolean {
    this.#pictures += 1;
    this.#bytes += data.length;
    if (keyFrame) this.#size = data.length;
    const isDue = !keyFrame && this.#isDue(now, isWatched);
    if (keyFrame || isDue) {
      this.#last = now;
      this.#pictures = 0;
      this.#bytes = 0;
    }
    return isDue;
  }

  /**
   * Counts a packet of sound. Sound counts like pictures, because a player reads all sound of a fragment
   * before the pictures.
   */
  sound(data: Uint8Array): void {
    this.#bytes += data.length;
  }

  /** Returns true if at least {@link KEY_FRAME_MS} have passed since the last key frame. */
  isOld(now: number): boolean {
    return now - this.#last >= KEY_FRAME_MS;
  }

  #isDue(now: number, isWatched: boolean): boolean {
    if (this.#bytes >= this.mostBytes) return true;
    const isMany = this.#pictures >= KEY_FRAME_PICTURES;
    if (!this.isOld(now)) return isMany && !isWatched;
    const isLong = now - this.#last >= this.longestMs;
    const spent = this.#bytes + (REST_BYTES_PER_SECOND * (now - this.#last)) / 1_000;
    return isMany || isLong || spent >= this.#size;
  }
}
