import { encodeSoundPacket, SOUND_FORMAT } from 'cloud-browser/protocol';

const BYTES_PER_SAMPLE = 2;
/** What one packet is made of. */
export const PACKET_BYTES = SOUND_FORMAT.packetSamples * SOUND_FORMAT.channels * BYTES_PER_SAMPLE;
/** Packets of silence that are sent still, so that the decoder's last sound fades out: 200 ms. */
const FADING = 10;

/** What {@link SoundPackets} works with. */
export interface SoundPacketsOptions {
  encode: (samples: Buffer) => Uint8Array;
  /** Whether anybody wants to hear. */
  wanted: () => boolean;
  /** Takes encoded {@link SoundPacket}s. */
  send: (packet: Uint8Array) => void;
  /** Milliseconds on the host's monotonic clock. */
  now: () => number;
}

/** Cuts a flow of samples into packets. Of silence, and while nobody listens, there are none. */
export class SoundPackets {
  #rest: Buffer = Buffer.alloc(0);
  #number = 0;
  /** Packets of silence in a row; more than {@link FADING} when nothing is being sent. */
  #silent = FADING + 1;

  constructor(private readonly options: SoundPacketsOptions) {}

  push(samples: Buffer): void {
    let data = this.#rest.length > 0 ? Buffer.concat([this.#rest, samples]) : samples;
    for (; data.length >= PACKET_BYTES; data = data.subarray(PACKET_BYTES)) {
      this.#take(data.subarray(0, PACKET_BYTES));
    }
    this.#rest = Buffer.from(data);
  }

  #take(samples: Buffer): void {
    const start = this.#silent > FADING;
    this.#silent = isSilent(samples) ? this.#silent + 1 : 0;
    if (!this.options.wanted()) this.#silent = FADING + 1;
    if (this.#silent > FADING) return;
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

const SILENCE = Buffer.alloc(PACKET_BYTES);

function isSilent(samples: Buffer): boolean {
  return samples.equals(SILENCE);
}
