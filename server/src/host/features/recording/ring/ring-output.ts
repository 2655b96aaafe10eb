import type { RecordedPicture } from '../fragment-builder.js';
import type { CodedSize, RecorderOutput } from '../recorder-output.js';
import { RingEvents } from './ring-events.js';

/** Bytes of pictures and sound in a ring. If a picture changes a lot, the ring has fewer seconds. */
export const MAX_RING_BYTES = 32 * 1024 * 1024;

/**
 * Bytes from one key frame to the next. A ring forgets all of them together. So a full ring has at least
 * three quarters of its bytes.
 */
export const MAX_GROUP_BYTES = MAX_RING_BYTES / 4;

/** A key frame, and what follows it until the next one. */
interface Group {
  size: CodedSize;
  /** Time of the key frame in milliseconds. */
  start: number;
  bytes: number;
  /** Pictures and packets of sound in the order in which they came. Packets have no `keyFrame`. */
  samples: { data: Uint8Array; time: number; keyFrame?: boolean }[];
}

/**
 * Keeps the last seconds of pictures, sound and events in memory. It starts at a key frame, because a player
 * can start only there. So it has the seconds that were requested, and those back to the key frame before.
 */
export class RingOutput implements RecorderOutput {
  readonly isLate = false;
  readonly #groups: Group[] = [];
  readonly #events = new RingEvents();

  /** @param milliseconds that the ring has at least, after so much time */
  constructor(private readonly milliseconds: number) {}

  picture(picture: RecordedPicture, size: CodedSize): void {
    const { time, keyFrame } = picture;
    if (keyFrame) this.#groups.push({ size, start: time, bytes: 0, samples: [] });
    this.#add(picture);
    while (this.#isFirstOld(time) || this.#bytes > MAX_RING_BYTES) this.#groups.shift();
    if (keyFrame) this.#events.forgetBefore((this.#groups[0]?.start ?? time) / 1000);
  }

  sound(data: Uint8Array, time: number): void {
    this.#add({ data, time });
  }

  event(json: string): void {
    this.#events.add(json);
  }

  tick(): void {
    // Old groups are forgotten when a picture comes.
  }

  end(): Promise<void> {
    this.#groups.length = 0;
    return Promise.resolve();
  }

  /**
   * Writes everything into another output. Returns the length in milliseconds.
   *
   * @param now milliseconds of the ring
   */
  writeTo(output: RecorderOutput, now: number): number {
    const start = this.#groups[0]?.start ?? now;
    for (const json of this.#events.since(start / 1000)) output.event(json);
    for (const { size, samples } of this.#groups)
      for (const { data, time: at, keyFrame } of samples) {
        const time = Math.max(0, at - start);
        if (keyFrame === undefined) {
          // Sound that was made before the first picture arrives after it.
          if (at >= start) output.sound(data, time);
        } else {
          output.tick(time);
          output.picture({ data, keyFrame, time }, size);
        }
      }
    return now - start;
  }

  get #bytes(): number {
    return this.#groups.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Returns true if what follows the first group is long enough. */
  #isFirstOld(now: number): boolean {
    const second = this.#groups[1];
    return second !== undefined && now - second.start >= this.milliseconds;
  }

  /** Adds a sample. Without a key frame before it, it is dropped. */
  #add(sample: Group['samples'][number]): void {
    const group = this.#groups.at(-1);
    if (!group) return;
    group.samples.push(sample);
    group.bytes += sample.data.length;
  }
}
