import { SOUND_FORMAT } from '../protocol/index.js';
import { SoundTrack } from './sound-track.js';

/** What browsers take as a sign that a person wants to hear something. */
const GESTURES = ['pointerup', 'keydown', 'touchend'] as const;

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
 * Where the sound of one viewer goes: the speakers, or a track. Until the user has done something on the page most browsers play
 * nothing. What decodes it is `SoundPlayer`, which comes later.
 */
export class SoundOutput {
  readonly context = new AudioContext({ sampleRate: SOUND_FORMAT.sampleRate, latencyHint: 0 });
  /** What is played, before the volume. */
  readonly sounds = this.context.createGain();
  readonly #gain = this.context.createGain();
  #destination: MediaStreamAudioDestinationNode | undefined;
  /** Copies of the sound for recorders: one way or, where a browser lacks that, the other. */
  #track: SoundTrack | undefined;
  #tap: MediaStreamAudioDestinationNode | undefined;
  readonly #clones: MediaStreamTrack[] = [];
  #silence: ConstantSourceNode | undefined;
  #blocked = false;

  /** @param onBlocked called when sound has come that the browser plays none of, and when it plays */
  constructor(private readonly onBlocked: (blocked: boolean) => void = () => undefined) {
    this.sounds.connect(this.#gain);
    this.#gain.connect(this.context.destination);
    this.#wait();
    this.context.addEventListener('statechange', () => {
      if (this.context.state === 'running') {
        this.#stopWaiting();
        this.#block(false);
        // Phones take the sound away for a call, and give it back to who asks again.
      } else if (this.context.state !== 'closed') this.#wait();
    });
  }

  /** The browser plays nothing of what has come, until its user does something on the page. */
  get blocked(): boolean {
    return this.#blocked;
  }

  /** Sound that goes to a recorder, whether or not it is played. */
  get track(): SoundTrack | undefined {
    return this.#track;
  }

  /** Sound has come. Returns whether anybody gets it. */
  come(): boolean {
    const running = this.context.state === 'running';
    if (!running) this.#block(true);
    return running || this.#track !== undefined;
  }

  /** Asks the browser to play; it does so while a person's click or key is being handled. */
  unblock(): void {
    this.context.resume().catch(() => undefined);
  }

  /** 0 to 1. */
  set volume(volume: number) {
    this.#gain.gain.value = volume;
  }

  /** From now on the sound goes into this track and not to the speakers. */
  capture(): MediaStreamTrack {
    if (!this.#destination) {
      this.#destination = this.context.createMediaStreamDestination();
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
      this.#tap = this.context.createMediaStreamDestination();
      this.sounds.connect(this.#tap);
      this.#neverPause();
    }
    const clone = trackOf(this.#tap).clone();
    this.#clones.push(clone);
    return clone;
  }

  close(): void {
    this.#stopWaiting();
    this.#track?.close();
    const nodes = [this.#destination, this.#tap];
    const tracks = nodes.flatMap((node) => node?.stream.getTracks() ?? []);
    for (const track of [...tracks, ...this.#clones]) track.stop();
    if (this.context.state !== 'closed') void this.context.close();
  }

  /** Silence between sounds: a recorder writes nothing before each of its tracks has given something. */
  #neverPause(): void {
    if (this.#silence) return;
    this.#silence = new ConstantSourceNode(this.context, { offset: 0 });
    this.#silence.connect(this.sounds);
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
