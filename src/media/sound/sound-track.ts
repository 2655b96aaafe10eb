import { SOUND_FORMAT } from '../../protocol/index.js';

/** A track that accepts generated sound. Only Chromium supports it on pages. */
interface TrackGenerator extends MediaStreamTrack {
  readonly writable: WritableStream<AudioData>;
}
type GeneratorScope = { MediaStreamTrackGenerator?: new (init: { kind: 'audio' }) => TrackGenerator };

const { channels, packetSamples, sampleRate } = SOUND_FORMAT;
const PACKET_MS = (packetSamples / sampleRate) * 1_000;
/** Interval between checks for missing sound, in milliseconds. */
const LOOK_MS = 40;
/**
 * If sound is late by this time, silence replaces it. This is the duration of two packets and one check
 * interval. Milliseconds.
 */
const CUSHION_MS = 80;
/**
 * Maximum time by which sound may be ahead of the clock, in milliseconds. Further sound is dropped, so that
 * sound does not lag far behind the picture.
 */
const MAX_LEAD_MS = 150;

/**
 * Sound as a track without pauses. It contains silence between sounds, because a recorder waits until each of
 * its tracks has data. It needs no `AudioContext`, which is suspended until the user interacts with the page.
 */
export class SoundTrack {
  readonly #track: MediaStreamTrack;
  readonly #writer: WritableStreamDefaultWriter<AudioData>;
  readonly #clones: MediaStreamTrack[] = [];
  readonly #timer: ReturnType<typeof setInterval>;
  /** Time of the next sound on the clock of `performance.now()`. */
  #due = performance.now();

  /** Opens a track. Returns undefined if the browser does not support it. */
  static open(): SoundTrack | undefined {
    const { MediaStreamTrackGenerator: Generator } = globalThis as GeneratorScope;
    return Generator && new SoundTrack(new Generator({ kind: 'audio' }));
  }

  private constructor(track: TrackGenerator) {
    this.#track = track;
    this.#writer = track.writable.getWriter();
    this.#timer = setInterval(() => this.#fill(), LOOK_MS);
  }

  /** Returns a track for the caller. It ends when this object is closed, or when the caller stops it. */
  clone(): MediaStreamTrack {
    const clone = this.#track.clone();
    this.#clones.push(clone);
    return clone;
  }

  /** Adds sound. The caller must close `sound` afterwards. */
  push(sound: AudioData): void {
    this.#fill();
    if (this.#due > performance.now() + MAX_LEAD_MS) return;
    const { numberOfFrames, numberOfChannels } = sound;
    const data = new Float32Array(numberOfFrames * numberOfChannels);
    for (let channel = 0; channel < numberOfChannels; channel++) {
      const plane = data.subarray(channel * numberOfFrames, (channel + 1) * numberOfFrames);
      sound.copyTo(plane, { planeIndex: channel, format: 'f32-planar' });
    }
    this.#write(data, numberOfChannels);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const track of [this.#track, ...this.#clones]) track.stop();
    this.#writer.abort().catch(() => undefined);
  }

  #fill(): void {
    const now = performance.now();
    // After the page was suspended, the missed time is skipped.
    if (now - this.#due > 1_000) this.#due = now - CUSHION_MS;
    while (this.#due < now - CUSHION_MS) this.#write(new Float32Array(packetSamples * channels), channels);
  }

  #write(data: Float32Array<ArrayBuffer>, numberOfChannels: number): void {
    const numberOfFrames = data.length / numberOfChannels;
    const timestamp = Math.round(this.#due * 1_000);
    const sound = new AudioData({
      ...{ format: 'f32-planar', sampleRate, timestamp, data },
      ...{ numberOfChannels, numberOfFrames },
    });
    this.#due += (numberOfFrames / packetSamples) * PACKET_MS;
    this.#writer.write(sound).catch(() => sound.close());
  }
}
