import { SOUND_FORMAT } from 'cloud-browser/protocol';
import { AV_CHANNEL_LAYOUT_STEREO, AV_SAMPLE_FMT_S16, FF_ENCODER_LIBOPUS } from 'node-av/constants';
import { Codec, CodecContext, Frame, Packet, Rational } from 'node-av/lib';

/** Average bit rate at which most people hear no difference from the original music. Speech needs less. */
const BITS_PER_SECOND = 96_000n;

/** Opus encoder of libopus: one packet per 20 ms of sound. */
export class OpusEncoder {
  readonly #context = new CodecContext();
  readonly #frame = new Frame();
  readonly #packet = new Packet();
  #pts = 0n;

  constructor() {
    const { sampleRate, packetSamples } = SOUND_FORMAT;
    const codec = Codec.findEncoderByName(FF_ENCODER_LIBOPUS);
    if (!codec) throw new Error('This build of node-av has no libopus.');
    const context = this.#context;
    context.allocContext3(codec);
    context.sampleRate = sampleRate;
    context.sampleFormat = AV_SAMPLE_FMT_S16;
    context.channelLayout = AV_CHANNEL_LAYOUT_STEREO;
    context.timeBase = new Rational(1, sampleRate);
    context.bitRate = BITS_PER_SECOND;
    check(context.setOption('frame_duration', `${(1_000 * packetSamples) / sampleRate}`), 'set a duration');
    check(context.open2Sync(codec), 'open');
    this.#packet.alloc();
    const frame = this.#frame;
    frame.alloc();
    frame.format = AV_SAMPLE_FMT_S16;
    frame.sampleRate = sampleRate;
    frame.channelLayout = AV_CHANNEL_LAYOUT_STEREO;
    frame.nbSamples = packetSamples;
    check(frame.getBuffer(), 'allocate a buffer');
  }

  /**
   * Encodes the samples of one packet.
   *
   * @param samples interleaved stereo, 16 bits each, little-endian
   */
  encode(samples: Buffer): Buffer {
    const frame = this.#frame;
    check(frame.makeWritable(), 'write samples');
    const [plane] = frame.data ?? [];
    if (!plane) throw new Error('The Opus encoder has no buffer.');
    samples.copy(plane);
    frame.pts = this.#pts;
    this.#pts += BigInt(SOUND_FORMAT.packetSamples);
    check(this.#context.sendFrameSync(frame), 'accept samples');
    check(this.#context.receivePacketSync(this.#packet), 'return a packet');
    const data = Buffer.from(this.#packet.data ?? []);
    this.#packet.unref();
    return data;
  }

  close(): void {
    this.#context.freeContext();
    this.#frame.free();
    this.#packet.free();
  }
}

function check(status: number, what: string): void {
  if (status < 0) throw new Error(`The Opus encoder could not ${what} (${status}).`);
}
