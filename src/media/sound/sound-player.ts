import { SOUND_FORMAT, type SoundPacket } from '../../protocol/index.js';
import { LipSync } from './lip-sync.js';
import type { SoundFigures, SoundOutput } from './sound-output.js';
import { SoundSchedule } from './sound-schedule.js';

/** WebCodecs timestamps are in microseconds. */
const MICROSECONDS_PER_SECOND = 1_000_000;

/**
 * Decodes sound packets and plays each at its time, on the speakers or into a track. Drops packets while
 * neither the speakers nor a track receive the sound.
 */
export class SoundPlayer {
  readonly #output: SoundOutput;
  #decoder: AudioDecoder | undefined;
  #packets = 0;
  /** Capture times of the packets in the decoder, by timestamp. */
  readonly #captureTimes = new Map<number, number>();
  readonly #schedule = new SoundSchedule();
  readonly #sync = new LipSync();
  #latency: number | undefined;

  constructor(output: SoundOutput) {
    this.#output = output;
  }

  get figures(): SoundFigures {
    const { offset } = this.#sync;
    return { soundLatency: this.#latency, soundOffset: offset, soundGaps: this.#schedule.gaps };
  }

  /**
   * Records the capture time of a displayed picture in microseconds. The player uses it, so that sound is not
   * played before its picture.
   */
  pictureShown(captureTime: number): void {
    this.#sync.shown(captureTime, performance.now());
  }

  push({ start, captureTime, payload }: SoundPacket): void {
    if (!this.#output.come()) return;
    if (start) this.#schedule.pause();
    const decoder = this.#openDecoder();
    const { packetSamples, sampleRate } = SOUND_FORMAT;
    const duration = (packetSamples / sampleRate) * MICROSECONDS_PER_SECOND;
    const timestamp = this.#packets++ * duration;
    this.#captureTimes.set(timestamp, captureTime);
    decoder.decode(new EncodedAudioChunk({ type: 'key', timestamp, duration, data: payload }));
  }

  close(): void {
    if (this.#decoder?.state === 'configured') this.#decoder.close();
  }

  /**
   * Returns the decoder. Opens a new decoder after an error. Opus can continue without the missing packets.
   */
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
    const { context, sounds, track } = this.#output;
    track?.push(data);
    const { numberOfChannels, numberOfFrames, sampleRate, timestamp } = data;
    const captureTime = this.#captureTimes.get(timestamp) ?? 0;
    this.#captureTimes.delete(timestamp);
    const [now, time] = [context.currentTime, performance.now()];
    // Some browsers do not have `outputLatency`.
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
      source.connect(sounds);
      source.start(planned.at);
    }
    data.close();
  }
}
