import type { RecordedPicture } from '../fragment-builder.js';
import type { CodedSize, RecorderOutput } from '../recorder-output.js';
import { RingEvents } from './ring-events.js';

/**
 * Maximum bytes of pictures and sound in a ring. If the picture changes a lot, the ring has fewer seconds.
 */
export const MAX_RING_BYTES = 32 * 1024 * 1024;

/**
 * Maximum bytes from one key frame to the next. A ring forgets a key frame together with all pictures until
 * the next one. So a full ring keeps at least three quarters of its bytes.
 */
export const MAX_GROUP_BYTES = MAX_RING_BYTES / 4;

/** A key frame, with the pictures and sound until the next key frame. */
interface Group {
  size: CodedSize;
  /** Time of the key frame in milliseconds. */
  start: number;
  bytes: number;
  /** Pictures and packets of sound in the order of their arrival. A packet of sound has no `keyFrame`. */
  samples: { data: Uint8Array; time: number; keyFrame?: boolean }[];
}

/**
 * Keeps the last seconds of pictures, sound and events in memory. The ring starts at a key frame, because a
 * player can start only there. So the ring may be longer than requested: it starts at the last key frame
 * before the requested seconds. If the ring would then have more than {@link MAX_RING_BYTES}, it starts at a
 * later key frame.
 */
export class RingOutput implements RecorderOutput {
  readonly isLate = false;
  readonly #groups: Group[] = [];
  readonly #events = new RingEvents();

  /**
   * @param milliseconds requested length of the ring. The ring is shorter in two cases: it has not run for
   *   this time yet, or the pictures and sound of this time have more than {@link MAX_RING_BYTES}
   */
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
    // Old groups are forgotten when a picture arrives.
  }

  end(): Promise<void> {
    this.#groups.length = 0;
    return Promise.resolve();
  }

  /**
   * Writes the events, pictures and sound into another output. Returns the length in milliseconds.
   *
   * @param now current time of the ring in milliseconds
   */
  writeTo(output: RecorderOutput, now: number): number {
    const start = this.#groups[0]?.start ?? now;
    for (const json of this.#events.since(start / 1000)) output.event(json);
    for (const { size, samples } of this.#groups)
      for (const { data, time: at, keyFrame } of samples) {
        const time = Math.max(0, at - start);
        if (keyFrame === undefined) {
          // Sound from before the first picture may arrive after that picture. Such sound is left out.
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

  /** Returns true if the ring has the requested length even without its first group. */
  #isFirstOld(now: number): boolean {
    const second = this.#groups[1];
    return second !== undefined && now - second.start >= this.milliseconds;
  }

  /** Adds a sample. Drops a sample that arrives before the first key frame. */
  #add(sample: Group['samples'][number]): void {
    const group = this.#groups.at(-1);
    if (!group) return;
    group.samples.push(sample);
    group.bytes += sample.data.length;
  }
}
