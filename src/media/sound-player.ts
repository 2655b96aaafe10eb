import { SOUND_FORMAT, type SoundPacket } from '../protocol/index.js';
import { SoundTrack } from './sound-track.js';

/** Between the arrival of a sound and its playing: what the network and this page may be late, three packets. */
const CUSHION_SECONDS = 0.06;
/** Added whenever that was not enough: one packet. */
const CUSHION_STEP_SECONDS = 0.02;
/** More than this is heard as a lag behind the picture. */
const MAX_CUSHION_SECONDS = 0.2;
/** Sound that may wait beyond the cushion; more is left out, so that sound never lags behind the picture. */
const MAX_LEAD_SECONDS = 0.15;
/** What browsers take as a sign that a person wants to hear something. */
const GESTURES = ['pointerup', 'keydown', 'touchend'] as const;
/** Timestamps of WebCodecs are in microseconds. */
const MICROSECONDS_PER_SECOND = 1_000_000;

/** Whether this browser can play sound packets: it needs WebCodecs, hence a page served over https. */
export function canPlaySound(): boolean {
  return typeof AudioDecoder !== 'undefined' && typeof AudioContext !== 'undefined';
}

/**
 * Plays sound packets on the speakers, or into a track. Until the user has done something on the page most browsers play
 * nothing; what comes before that is left out.
 */
export class SoundPlayer {
  readonly #context = new AudioContext({ sampleRate: SOUND_FORMAT.sampleRate, latencyHint: 'interactive' });
  /** What is played, before the volume. */
  readonly #sounds = this.#context.createGain();
  readonly #gain = this.#context.createGain();
  #decoder: AudioDecoder | undefined;
  #destination: MediaStreamAudioDestinationNode | undefined;
  /** Copies of the sound for recorders: one way or, where a browser lacks that, the other. */
  #track: SoundTrack | undefined;
  #tap: MediaStreamAudioDestinationNode | undefined;
  readonly #clones: MediaStreamTrack[] = [];
  #silence: ConstantSourceNode | undefined;
  #packets = 0;
  #cushion = CUSHION_SECONDS;
  /** When the next sound is due, on the context's clock; undefined after silence. */
  #due: number | undefined;

  constructor() {
    this.#sounds.connect(this.#gain);
    this.#gain.connect(this.#context.destination);
    for (const gesture of GESTURES) window.addEventListener(gesture, this.#resume, { capture: true });
    this.#context.addEventListener('statechange', () => {
      if (this.#context.state === 'running') this.#stopWaiting();
    });
  }

  /** 0 to 1. */
  set volume(volume: number) {
    this.#gain.gain.value = volume;
  }

  /** From now on the sound goes into this track and not to the speakers. */
  capture(): MediaStreamTrack {
    if (!this.#destination) {
      this.#destination = this.#context.createMediaStreamDestination();
      this.#gain.disconnect();
      this.#gain.connect(this.#destination);
      this.#neverPause();
    }
    return trackOf(this.#destination);
  }

  /** A copy of the sound, as loud as it comes, as a track of the caller's own; what is played stays as it is. */
  tap(): MediaStreamTrack {
    if (!this.#tap) this.#track ??= SoundTrack.open();
    if (this.#track) return this.#track.clone();
    if (!this.#tap) {
      this.#tap = this.#context.createMediaStreamDestination();
      this.#sounds.connect(this.#tap);
      this.#neverPause();
    }
    const clone = trackOf(this.#tap).clone();
    this.#clones.push(clone);
    return clone;
  }

  push({ start, payload }: SoundPacket): void {
    if (this.#context.state !== 'running' && !this.#track) return;
    if (start) this.#due = undefined;
    const decoder = this.#openDecoder();
    const { packetSamples, sampleRate } = SOUND_FORMAT;
    const duration = (packetSamples / sampleRate) * MICROSECONDS_PER_SECOND;
    const timestamp = this.#packets++ * duration;
    decoder.decode(new EncodedAudioChunk({ type: 'key', timestamp, duration, data: payload }));
  }

  close(): void {
    this.#stopWaiting();
    if (this.#decoder?.state === 'configured') this.#decoder.close();
    this.#track?.close();
    const nodes = [this.#destination, this.#tap];
    const tracks = nodes.flatMap((node) => node?.stream.getTracks() ?? []);
    for (const track of [...tracks, ...this.#clones]) track.stop();
    if (this.#context.state !== 'closed') void this.#context.close();
  }

  /** After an error the next packet gets a new decoder: Opus goes on without what is missing. */
  #openDecoder(): AudioDecoder {
    if (this.#decoder?.state === 'configured') return this.#decoder;
    const { codec, sampleRate, channels } = SOUND_FORMAT;
    const decoder = new AudioDecoder({
      output: (data) => this.#play(data),
      error: () => undefined,
    });
    decoder.configure({ codec, sampleRate, numberOfChannels: channels });
    this.#decoder = decoder;
    return decoder;
  }

  #play(data: AudioData): void {
    this.#track?.push(data);
    const { numberOfChannels, numberOfFrames, sampleRate } = data;
    const now = this.#context.currentTime;
    const late = this.#due !== undefined && this.#due < now;
    if (late) this.#cushion = Math.min(this.#cushion + CUSHION_STEP_SECONDS, MAX_CUSHION_SECONDS);
    const due = this.#due === undefined || late ? now + this.#cushion : this.#due;
    if (this.#context.state === 'running' && due - now <= this.#cushion + MAX_LEAD_SECONDS) {
      const buffer = this.#context.createBuffer(numberOfChannels, numberOfFrames, sampleRate);
      for (let channel = 0; channel < numberOfChannels; channel++) {
        data.copyTo(buffer.getChannelData(channel), { planeIndex: channel, format: 'f32-planar' });
      }
      const source = this.#context.createBufferSource();
      source.buffer = buffer;
      source.connect(this.#sounds);
      source.start(due);
      this.#due = due + buffer.duration;
    }
    data.close();
  }

  /** Silence between sounds: a recorder writes nothing before each of its tracks has given something. */
  #neverPause(): void {
    if (this.#silence) return;
    this.#silence = new ConstantSourceNode(this.#context, { offset: 0 });
    this.#silence.connect(this.#sounds);
    this.#silence.start();
  }

  readonly #resume = (): void => {
    this.#context.resume().catch(() => undefined);
  };

  #stopWaiting(): void {
    for (const gesture of GESTURES) window.removeEventListener(gesture, this.#resume, { capture: true });
  }
}

function trackOf(node: MediaStreamAudioDestinationNode): MediaStreamTrack {
  const [track] = node.stream.getAudioTracks();
  if (!track) throw new Error('This browser gives no track for sound.');
  return track;
}
