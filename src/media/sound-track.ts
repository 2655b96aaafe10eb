import { SOUND_FORMAT } from '../protocol/index.js';

/** A track that is fed sound by hand. Chromium has it on pages, other browsers do not. */
interface TrackGenerator extends MediaStreamTrack {
  readonly writable: WritableStream<AudioData>;
}
type GeneratorScope = { MediaStreamTrackGenerator?: new (init: { kind: 'audio' }) => TrackGenerator };

const { channels, packetSamples, sampleRate } = SOUND_FORMAT;
const PACKET_MS = (packetSamples / sampleRate) * 1_000;
/** Between two looks at whether sound has come. */
const LOOK_MS = 40;
/** How late sound may come before silence takes its place: two packets and a look. */
const CUSHION_MS = 80;
/** Sound that may be ahead of the clock; more is left out, so that the sound never lags behind the picture. */
const MAX_LEAD_MS = 150;

/**
 * Sound as a track that never pauses: between sounds it holds silence, because a recorder writes nothing before each of its tracks
 * has given something. It needs no `AudioContext`, which stands still until the page's user has done something.
 */
export class SoundTrack {
  readonly #track: MediaStreamTrack;
  readonly #writer: WritableStreamDefaultWriter<AudioData>;
  readonly #clones: MediaStreamTrack[] = [];
  readonly #timer: ReturnType<typeof setInterval>;
  /** Where the next sound goes, on the clock of `performance.now()`. */
  #due = performance.now();

  /** Undefined where the browser has no such tracks. */
  static open(): SoundTrack | undefined {
    const { MediaStreamTrackGenerator: Generator } = globalThis as GeneratorScope;
    return Generator && new SoundTrack(new Generator({ kind: 'audio' }));
  }

  private constructor(track: TrackGenerator) {
    this.#track = track;
    this.#writer = track.writable.getWriter();
    this.#timer = setInterval(() => this.#fill(), LOOK_MS);
  }

  /** A track of the caller's own. It ends with this object at the latest. */
  clone(): MediaStreamTrack {
    const clone = this.#track.clone();
    this.#clones.push(clone);
    return clone;
  }

  /** The sound stays the caller's to close. */
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
    // A page that was asleep does not make up for it.
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
