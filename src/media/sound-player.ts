import { SOUND_FORMAT, type SoundPacket } from '../protocol/index.js';
import { LipSync } from './lip-sync.js';
import { SoundSchedule } from './sound-schedule.js';
import { SoundTrack } from './sound-track.js';

/** What browsers take as a sign that a person wants to hear something. */
const GESTURES = ['pointerup', 'keydown', 'touchend'] as const;
/** Timestamps of WebCodecs are in microseconds. */
const MICROSECONDS_PER_SECOND = 1_000_000;

/** Whether this browser can play sound packets: it needs WebCodecs, hence a page served over https. */
export function canPlaySound(): boolean {
  return typeof AudioDecoder !== 'undefined' && typeof AudioContext !== 'undefined';
}

/** What the sound did lately; times in milliseconds. */
export interface SoundFigures {
  /** From the arrival of the newest sound to its being heard; undefined before the first. */
  soundLatency: number | undefined;
  /** How much later the newest sound is heard than its picture is seen; undefined while no pictures come. */
  soundOffset: number | undefined;
  /** Since the start: how often sound was missing in what is played. */
  soundGaps: number;
}

/** Before anything was heard. */
export const NO_SOUND: SoundFigures = { soundLatency: undefined, soundOffset: undefined, soundGaps: 0 };

/**
 * Plays sound packets on the speakers, or into a track. Until the user has done something on the page most browsers play
 * nothing; what comes before that is left out.
 */
export class SoundPlayer {
  readonly #context = new AudioContext({ sampleRate: SOUND_FORMAT.sampleRate, latencyHint: 0 });
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
  /** Of the packets in the decoder, by their timestamps there. */
  readonly #captureTimes = new Map<number, number>();
  readonly #schedule = new SoundSchedule();
  readonly #sync = new LipSync();
  #latency: number | undefined;
  #blocked = false;

  /** @param onBlocked called when sound has come that the browser plays none of, and when it plays */
  constructor(private readonly onBlocked: (blocked: boolean) => void = () => undefined) {
    this.#sounds.connect(this.#gain);
    this.#gain.connect(this.#context.destination);
    this.#wait();
    this.#context.addEventListener('statechange', () => {
      if (this.#context.state === 'running') {
        this.#stopWaiting();
        this.#block(false);
        // Phones take the sound away for a call, and give it back to who asks again.
      } else if (this.#context.state !== 'closed') this.#wait();
    });
  }

  get figures(): SoundFigures {
    const { offset } = this.#sync;
    return { soundLatency: this.#latency, soundOffset: offset, soundGaps: this.#schedule.gaps };
  }

  /** The browser plays nothing of what has come, until its user does something on the page. */
  get blocked(): boolean {
    return this.#blocked;
  }

  /** Asks the browser to play; it does so while a person's click or key is being handled. */
  unblock(): void {
    this.#context.resume().catch(() => undefined);
  }

  /** A picture is shown that was captured then, in microseconds: sound does not come before its picture. */
  pictureShown(captureTime: number): void {
    this.#sync.shown(captureTime, performance.now());
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

  push({ start, captureTime, payload }: SoundPacket): void {
    const running = this.#context.state === 'running';
    if (!running) this.#block(true);
    if (!running && !this.#track) return;
    if (start) this.#schedule.pause();
    const decoder = this.#openDecoder();
    const { packetSamples, sampleRate } = SOUND_FORMAT;
    const duration = (packetSamples / sampleRate) * MICROSECONDS_PER_SECOND;
    const timestamp = this.#packets++ * duration;
    this.#captureTimes.set(timestamp, captureTime);
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
    this.#captureTimes.clear();
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
    const { numberOfChannels, numberOfFrames, sampleRate, timestamp } = data;
    const captureTime = this.#captureTimes.get(timestamp) ?? 0;
    this.#captureTimes.delete(timestamp);
    const context = this.#context;
    const [now, time] = [context.currentTime, performance.now()];
    // Absent in some browsers.
    const output = ((context.outputLatency as number | undefined) ?? context.baseLatency) * 1000;
    const wait = this.#sync.wait(captureTime, time + output);
    const wanted = wait === undefined ? undefined : wait / 1000;
    const planned =
      context.state === 'running' ? this.#schedule.plan(now, numberOfFrames / sampleRate, wanted) : undefined;
    if (planned) {
      this.#latency = (planned.at - now) * 1000 + output;
      this.#sync.heard(captureTime, time + this.#latency);
      const buffer = context.createBuffer(numberOfChannels, numberOfFrames, sampleRate);
      for (let channel = 0; channel < numberOfChannels; channel++) {
        data.copyTo(buffer.getChannelData(channel), { planeIndex: channel, format: 'f32-planar' });
      }
      const source = context.createBufferSource();
      source.buffer = buffer;
      source.playbackRate.value = planned.rate;
      source.connect(this.#sounds);
      source.start(planned.at);
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

  #block(blocked: boolean): void {
    if (blocked === this.#blocked) return;
    this.#blocked = blocked;
    this.onBlocked(blocked);
  }

  readonly #resume = (): void => this.unblock();

  #wait(): void {
    for (const gesture of GESTURES) window.addEventListener(gesture, this.#resume, { capture: true });
  }

  #stopWaiting(): void {
    for (const gesture of GESTURES) window.removeEventListener(gesture, this.#resume, { capture: true });
  }
}

function trackOf(node: MediaStreamAudioDestinationNode): MediaStreamTrack {
  const [track] = node.stream.getAudioTracks();
  if (!track) throw new Error('This browser gives no track for sound.');
  return track;
}
