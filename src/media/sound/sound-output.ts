import { EventEmitter } from 'eventemitter3';
import { SOUND_FORMAT } from '../../protocol/index.js';
import { SoundTrack } from './sound-track.js';

/** Events that browsers accept as a user gesture for playing sound. */
const GESTURES = ['pointerup', 'keydown', 'touchend'] as const;

/**
 * Returns true if this browser can play sound packets. This needs WebCodecs, which is available only in
 * secure contexts (https, localhost).
 */
export function canPlaySound(): boolean {
  return typeof AudioDecoder !== 'undefined' && typeof AudioContext !== 'undefined';
}

/** Statistics of the sound. Times in milliseconds. */
export interface SoundFigures {
  /** Time from the arrival of the latest sound until it plays. Undefined before the first sound. */
  soundLatency: number | undefined;
  /** Delay of the latest sound compared with its picture. Undefined while there are no pictures. */
  soundOffset: number | undefined;
  /** Number of gaps in the played sound since the start. */
  soundGaps: number;
}

/** Statistics before the first sound. */
export const NO_SOUND: SoundFigures = { soundLatency: undefined, soundOffset: undefined, soundGaps: 0 };

/** Events of the output and their arguments. */
export interface SoundOutputEvents {
  /** The browser blocks sound (true), or plays it (false). */
  blocked: [blocked: boolean];
}

/**
 * Output for the sound of one viewer: the speakers or a track. Most browsers play nothing until the user
 * interacts with the page. `SoundPlayer` decodes the sound and is loaded later.
 */
export class SoundOutput extends EventEmitter<SoundOutputEvents> {
  readonly context = new AudioContext({ sampleRate: SOUND_FORMAT.sampleRate, latencyHint: 0 });
  /** Node that receives all sounds. The volume is applied after it. */
  readonly sounds = this.context.createGain();
  readonly #gain = this.context.createGain();
  #destination: MediaStreamAudioDestinationNode | undefined;
  /**
   * Sources of the sound for recorders. `#track` is used if this browser supports `SoundTrack`, otherwise
   * `#tap`.
   */
  #track: SoundTrack | undefined;
  #tap: MediaStreamAudioDestinationNode | undefined;
  readonly #clones: MediaStreamTrack[] = [];
  #silence: ConstantSourceNode | undefined;
  #blocked = false;

  constructor() {
    super();
    this.sounds.connect(this.#gain);
    this.#gain.connect(this.context.destination);
    this.#wait();
    this.context.addEventListener('statechange', () => {
      if (this.context.state === 'running') {
        this.#stopWaiting();
        this.#block(false);
        // Phones suspend sound during a phone call. It must be resumed afterwards.
      } else if (this.context.state !== 'closed') this.#wait();
    });
  }

  /** True if the browser blocks sound until the user interacts with the page. */
  get blocked(): boolean {
    return this.#blocked;
  }

  /**
   * The sound for recorders, independent of the playback. Undefined before {@link tap}, or if `SoundTrack` is
   * not supported.
   */
  get track(): SoundTrack | undefined {
    return this.#track;
  }

  /**
   * Call this when sound has arrived. Returns true if the speakers or a track can receive the sound. Emits
   * `blocked` if the speakers cannot receive it.
   */
  come(): boolean {
    const running = this.context.state === 'running';
    if (!running) this.#block(true);
    return running || this.#track !== undefined;
  }

  /**
   * Resumes playback. Call this inside the handler of a click or a key, because browsers may refuse it at
   * other times.
   */
  unblock(): void {
    this.context.resume().catch(() => undefined);
  }

  /** Volume from 0 to 1. */
  set volume(volume: number) {
    this.#gain.gain.value = volume;
  }

  /** Returns a track that receives the sound instead of the speakers from now on. */
  capture(): MediaStreamTrack {
    if (!this.#destination) {
      this.#destination = this.context.createMediaStreamDestination();
      this.#gain.disconnect();
      this.#gain.connect(this.#destination);
      this.#neverPause();
    }
    return trackOf(this.#destination);
  }

  /**
   * Returns a copy of the sound as a track for the caller. The track ignores the volume and does not change
   * the playback.
   */
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

  /** Fills the pauses with silence, because a recorder waits until each of its tracks has data. */
  #neverPause(): void {
    if (this.#silence) return;
    this.#silence = new ConstantSourceNode(this.context, { offset: 0 });
    this.#silence.connect(this.sounds);
    this.#silence.start();
  }

  #block(blocked: boolean): void {
    if (blocked === this.#blocked) return;
    this.#blocked = blocked;
    this.emit('blocked', blocked);
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
  if (!track) throw new Error('This browser provides no track for sound.');
  return track;
}
