import { encodeSoundPacket, SOUND_FORMAT } from 'cloud-browser/protocol';

/** Samples have 16 bits. */
const BYTES_PER_SAMPLE = 2;
/** Size of the samples of one packet, in bytes. */
export const PACKET_BYTES = SOUND_FORMAT.packetSamples * SOUND_FORMAT.channels * BYTES_PER_SAMPLE;
/** A packet's samples during silence. */
const SILENCE = Buffer.alloc(PACKET_BYTES);
/**
 * Number of silent packets that are sent after a sound, so that the sound fades out in the decoder. They last
 * 200 ms.
 */
const FADING_PACKETS = 10;

/** Dependencies of {@link SoundPackets}. */
export interface SoundPacketsOptions {
  encode: (samples: Buffer) => Uint8Array;
  /** Returns true if a viewer wants sound. */
  wanted: () => boolean;
  /** Receives encoded {@link SoundPacket}s. */
  send: (packet: Uint8Array) => void;
  /** Returns the milliseconds of the host's monotonic clock. */
  now: () => number;
}

/** Cuts a stream of samples into packets. Sends no packets during silence, or if no viewer wants sound. */
export class SoundPackets {
  #rest: Buffer = Buffer.alloc(0);
  #number = 0;
  /**
   * Number of consecutive silent packets. It is greater than {@link FADING_PACKETS} while no packets are
   * sent.
   */
  #silent = FADING_PACKETS + 1;
  #soundedAt = -Infinity;

  constructor(private readonly options: SoundPacketsOptions) {}

  /** Time of the last packet that was not silent, on the clock {@link SoundPacketsOptions.now}. */
  get soundedAt(): number {
    return this.#soundedAt;
  }

  push(samples: Buffer): void {
    let data = this.#rest.length > 0 ? Buffer.concat([this.#rest, samples]) : samples;
    for (; data.length >= PACKET_BYTES; data = data.subarray(PACKET_BYTES)) {
      this.#take(data.subarray(0, PACKET_BYTES));
    }
    this.#rest = Buffer.from(data);
  }

  #take(samples: Buffer): void {
    const start = this.#silent > FADING_PACKETS;
    this.#silent = samples.equals(SILENCE) ? this.#silent + 1 : 0;
    if (this.#silent === 0) this.#soundedAt = this.options.now();
    if (!this.options.wanted()) this.#silent = FADING_PACKETS + 1;
    if (this.#silent > FADING_PACKETS) return;
    this.#number = (this.#number + 1) % 0x10000;
    this.options.send(
      encodeSoundPacket({
        ...{ start, number: this.#number },
        captureTime: Math.round(this.options.now() * 1_000) % 0x100000000,
        payload: this.options.encode(samples),
      }),
    );
  }
}
