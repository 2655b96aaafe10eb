/**
 * Minimum duration in seconds of a segment that ends because of a request for the playlist. After the
 * segment, the host sends a key frame of up to 300 KB, which viewers of the session receive too. So key
 * frames must not be frequent.
 */
export const MIN_SEGMENT_SECONDS = 5;

/** Properties of a fragment that determine the segments. */
interface AddedFragment {
  /** Start and duration in seconds. */
  time: number;
  duration: number;
  keyFrame: boolean;
}

/**
 * The segments of a running recording. While the picture does not change, a segment can last four minutes.
 * The playlist has only complete segments. So a request for the playlist ends the last segment by requesting
 * a key frame.
 */
export class LiveSegments {
  /** Start of the last segment in seconds. Undefined before the first fragment. */
  #start: number | undefined;
  /** End of the last fragment in seconds. */
  #end = 0;
  /** True until the first segment is complete. */
  #isFirst = true;
  /** True if a key frame was requested and has not arrived yet. */
  #requested = false;
  #closed = false;
  /** Functions that resolve the promises of {@link ended}. */
  #waiting: (() => void)[] = [];

  constructor(private readonly requestKeyFrame: () => void) {}

  /** Handles a fragment that is on the disk. */
  add({ time, duration, keyFrame }: AddedFragment): void {
    this.#end = time + duration;
    if (this.#start === undefined) this.#start = time;
    else if (keyFrame) {
      this.#start = time;
      this.#isFirst = false;
      this.#requested = false;
      this.#resolve();
    }
    this.#request();
  }

  /**
   * Ends the last segment as soon as it has its minimum duration. The first segment may be shorter. Resolves
   * when the segment or the recording has ended.
   */
  ended(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    const ended = new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#request();
    return ended;
  }

  /** Handles the end of the recording. */
  close(): void {
    this.#closed = true;
    this.#resolve();
  }

  #resolve(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting = [];
  }

  #request(): void {
    if (this.#waiting.length === 0 || this.#requested || this.#start === undefined) return;
    if (!this.#isFirst && this.#end - this.#start < MIN_SEGMENT_SECONDS) return;
    this.#requested = true;
    this.requestKeyFrame();
  }
}
