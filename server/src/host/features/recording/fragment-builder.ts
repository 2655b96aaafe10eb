import { SOUND_FORMAT } from 'cloud-browser/protocol';
import { VIDEO_TICKS, type Sample } from './mp4-writer.js';

/**
 * A fragment is complete after {@link FRAGMENT_MS} milliseconds, or when it has {@link FRAGMENT_BYTES}. If
 * the host is killed, the recording loses less than two seconds: the incomplete fragment, the time until the
 * next call of `tick`, and the newest picture.
 */
export const FRAGMENT_MS = 1_200;
const FRAGMENT_BYTES = 1024 * 1024;
/**
 * Time in milliseconds after which the newest picture may be written although no other picture has followed.
 * Usually a picture is written when the next picture arrives, because only then its duration is known.
 */
const HELD_MS = 1_000;
/**
 * Shortest recording in milliseconds. Players do not show a picture that lasts for less than a frame. So a
 * recording that ends just after its first picture is extended to this time.
 */
export const SHORTEST_MS = 200;
/** Maximum delay of sound in milliseconds. Sound that was captured longer ago has arrived completely. */
const SOUND_DELAY_MS = 200;
/**
 * Tolerated difference between the clock of the sound and the host's clock, in samples of sound. Only larger
 * differences are corrected.
 */
const SOUND_TOLERANCE = 2 * SOUND_FORMAT.packetSamples;

/** An Opus packet of 20 ms of stereo silence: RFC 6716, 3.1, with an empty frame of CELT. */
const SILENCE = Uint8Array.of(0xfc, 0xff, 0xfe);

/** The samples of one fragment. */
export interface BuiltFragment {
  samples: readonly Sample[];
  /** Start of the fragment's first picture, in seconds of the recording. */
  time: number;
  /** Duration of the fragment's pictures in seconds. */
  duration: number;
  keyFrame: boolean;
}

/** A picture of the recording. Its time is in milliseconds of the recording. */
export interface RecordedPicture {
  data: Uint8Array;
  keyFrame: boolean;
  time: number;
}

/**
 * Collects pictures and sound, and decides where a fragment ends. Each picture lasts until the next picture,
 * so the video track has no gaps. The sound track has no gaps either, because the builder adds silence where
 * the session sent no sound.
 */
export class FragmentBuilder {
  #video: Sample[] = [];
  #sound: Sample[] = [];
  #bytes = 0;
  /** The newest picture, whose duration is not known yet. `time` is in ticks. */
  #held: { data: Uint8Array; keyFrame: boolean; time: number } | undefined;
  /** Earliest time of the next picture in ticks. */
  #next = 0;
  /** Time of the next packet of sound in samples. */
  #soundTime = 0;
  #soundReady: { data: Uint8Array; time: number }[] = [];

  /** @param audio true if the file has a track of sound */
  constructor(private readonly audio: boolean) {}

  /** Adds a picture. Returns a fragment if one ends before the picture. */
  picture({ data, keyFrame, time }: RecordedPicture): BuiltFragment | undefined {
    const start = Math.max(this.#next, ticksOf(time));
    this.#finishHeld(start);
    const ended = keyFrame || this.#bytes >= FRAGMENT_BYTES ? this.#cut(time) : undefined;
    this.#held = { data, keyFrame, time: start };
    this.#next = start + 1;
    return ended;
  }

  /** Adds a packet of sound. Its time is in milliseconds of the recording. */
  sound(data: Uint8Array, time: number): void {
    if (this.audio)
      this.#soundReady.push({ data, time: Math.round((time * SOUND_FORMAT.sampleRate) / 1000) });
  }

  /** Returns a fragment if one is complete at this time, in milliseconds of the recording. */
  tick(now: number): BuiltFragment | undefined {
    const first = this.#video[0] ?? this.#held;
    if (!first || now - millisecondsOf(first.time) < FRAGMENT_MS) return undefined;
    if (this.#held && now - millisecondsOf(this.#held.time) >= HELD_MS) this.#finishHeld(ticksOf(now));
    return this.#cut(now);
  }

  /** Returns the last fragment, if some pictures were not written yet. */
  end(now: number): BuiltFragment | undefined {
    const end = Math.max(now, SHORTEST_MS);
    if (this.#held) this.#finishHeld(Math.max(this.#next, ticksOf(end)));
    return this.#cut(end + SOUND_DELAY_MS);
  }

  #finishHeld(end: number): void {
    if (!this.#held) return;
    const { data, keyFrame, time } = this.#held;
    this.#video.push({ track: 'video', data, keyFrame, time, duration: Math.max(1, end - time) });
    this.#bytes += data.length;
    this.#next = Math.max(this.#next, end);
    this.#held = undefined;
  }

  #cut(now: number): BuiltFragment | undefined {
    const [first] = this.#video;
    const last = this.#video.at(-1);
    if (!first || !last) return undefined;
    this.#fillSound(Math.max(0, now - SOUND_DELAY_MS));
    const samples = [...this.#video, ...this.#sound];
    this.#video = [];
    this.#sound = [];
    this.#bytes = 0;
    return {
      samples,
      time: first.time / VIDEO_TICKS,
      duration: (last.time + last.duration - first.time) / VIDEO_TICKS,
      keyFrame: first.keyFrame,
    };
  }

  /** Writes the packets of sound until a time in milliseconds, and silence between them. */
  #fillSound(until: number): void {
    if (!this.audio) return;
    const end = Math.round((until * SOUND_FORMAT.sampleRate) / 1000);
    const rest: { data: Uint8Array; time: number }[] = [];
    for (const packet of this.#soundReady) {
      if (packet.time >= end) {
        rest.push(packet);
        continue;
      }
      this.#silence(packet.time - SOUND_TOLERANCE);
      // Drops a packet that is far too late, because the sound of its time was already written.
      if (packet.time >= this.#soundTime - 2 * SOUND_TOLERANCE) this.#addSound(packet.data);
    }
    this.#soundReady = rest;
    this.#silence(end - SOUND_TOLERANCE);
  }

  #silence(until: number): void {
    while (this.#soundTime < until) this.#addSound(SILENCE);
  }

  #addSound(data: Uint8Array): void {
    const { packetSamples: duration } = SOUND_FORMAT;
    this.#sound.push({ track: 'sound', data, time: this.#soundTime, duration, keyFrame: true });
    this.#bytes += data.length;
    this.#soundTime += duration;
  }
}

function ticksOf(milliseconds: number): number {
  return Math.max(0, Math.round((milliseconds * VIDEO_TICKS) / 1000));
}

function millisecondsOf(ticks: number): number {
  return (ticks * 1000) / VIDEO_TICKS;
}
