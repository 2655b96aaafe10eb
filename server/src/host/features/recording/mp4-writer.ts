import {
  AV_CHANNEL_LAYOUT_STEREO,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_OPUS,
  AV_PIX_FMT_YUVJ420P,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { Dictionary, FormatContext, IOContext, Packet, Rational } from 'node-av/lib';
import { SOUND_FORMAT } from 'cloud-browser/protocol';
import { parameterSetsOf } from './parameter-sets.js';

/** Ticks per second of the video track. */
export const VIDEO_TICKS = 90_000;
/** Size of the muxer's buffer. One call of libavformat passes on at most this many bytes. */
const BUFFER_BYTES = 1024 * 1024;

/** One picture or one packet of sound, for the muxer. */
export interface Sample {
  track: 'video' | 'sound';
  data: Uint8Array;
  /** Start and duration in ticks of the track: {@link VIDEO_TICKS}, or samples of sound. */
  time: number;
  duration: number;
  keyFrame: boolean;
}

/** Properties of a video file. They are known only when the first key frame arrives. */
export interface Mp4Options {
  width: number;
  height: number;
  /** The first key frame, in Annex B form with its parameter sets. */
  keyFrame: Buffer;
  /** True to add a track of sound. */
  audio: boolean;
}

/**
 * Writes a fragmented MP4 file with libavformat. The parameter sets of H.264 stay in the pictures (`avc3`),
 * so pictures of another size can follow in the same track.
 */
export class Mp4Writer {
  #bytes: Buffer[] = [];
  readonly #packet = new Packet();
  /** Calls of libavformat run one after the other. */
  #work: Promise<unknown> = Promise.resolve();
  #closed = false;

  private constructor(
    private readonly context: FormatContext,
    private readonly io: IOContext,
  ) {
    this.#packet.alloc();
  }

  /** Opens a file. Resolves to the writer and the initialisation segment. */
  static async open(options: Mp4Options): Promise<{ writer: Mp4Writer; init: Buffer }> {
    const io = new IOContext();
    const context = new FormatContext();
    check(context.allocOutputContext2(null, 'mp4', null), 'be opened');
    const writer = new Mp4Writer(context, io);
    // Calls that write must be asynchronous, because libavformat waits in its thread until this callback has
    // returned.
    io.allocContextWithCallbacks(BUFFER_BYTES, 1, null, (bytes) => writer.#written(bytes), null);
    context.pb = io;
    try {
      return { writer, init: await writer.#header(options) };
    } catch (error) {
      // Without `close`, the callback would keep this process alive.
      await writer.close();
      throw error;
    }
  }

  /** Writes samples as one fragment. Resolves to its bytes. */
  fragment(samples: readonly Sample[]): Promise<Buffer> {
    const written = this.#work.then(() => this.#fragment(samples));
    this.#work = written.catch(() => undefined);
    return written;
  }

  /** Waits until no call is running, then frees the memory of libavformat. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#work;
    this.#packet.free();
    this.context.pb = null;
    this.context.freeContext();
    this.io.freeContext();
  }

  async #header(options: Mp4Options): Promise<Buffer> {
    const { context } = this;
    addVideo(context, options);
    if (options.audio) addSound(context);
    const flags = Dictionary.fromObject({ movflags: 'frag_custom+empty_moov+default_base_moof' });
    check(await context.writeHeader(flags), 'write its header');
    return this.#flushed();
  }

  async #fragment(samples: readonly Sample[]): Promise<Buffer> {
    const packet = this.#packet;
    for (const { track, data, time, duration, keyFrame } of samples) {
      packet.unref();
      // The packet copies the data.
      packet.data = Buffer.from(data.buffer, data.byteOffset, data.length);
      packet.streamIndex = track === 'video' ? 0 : 1;
      packet.pts = BigInt(time);
      packet.dts = BigInt(time);
      packet.duration = BigInt(duration);
      packet.isKeyframe = keyFrame;
      // The muxer only collects samples here. It writes bytes when the fragment is flushed.
      check(this.context.writeFrameSync(packet), 'take a sample');
    }
    check(await this.context.writeFrame(null), 'write a fragment');
    return this.#flushed();
  }

  async #flushed(): Promise<Buffer> {
    await this.io.flush();
    const written = this.#bytes;
    this.#bytes = [];
    const [only] = written;
    return only && written.length === 1 ? only : Buffer.concat(written);
  }

  #written(bytes: Buffer): number {
    this.#bytes.push(Buffer.from(bytes));
    return bytes.length;
  }
}

function addVideo(context: FormatContext, { width, height, keyFrame }: Mp4Options): void {
  const stream = context.newStream();
  stream.timeBase = new Rational(1, VIDEO_TICKS);
  const { codecpar } = stream;
  codecpar.codecType = AVMEDIA_TYPE_VIDEO;
  codecpar.codecId = AV_CODEC_ID_H264;
  codecpar.codecTag = 'avc3';
  codecpar.width = width;
  codecpar.height = height;
  codecpar.format = AV_PIX_FMT_YUVJ420P;
  codecpar.extradata = parameterSetsOf(keyFrame);
}

function addSound(context: FormatContext): void {
  const { sampleRate, packetSamples } = SOUND_FORMAT;
  const stream = context.newStream();
  stream.timeBase = new Rational(1, sampleRate);
  const { codecpar } = stream;
  codecpar.codecType = AVMEDIA_TYPE_AUDIO;
  codecpar.codecId = AV_CODEC_ID_OPUS;
  codecpar.sampleRate = sampleRate;
  codecpar.channelLayout = AV_CHANNEL_LAYOUT_STEREO;
  codecpar.frameSize = packetSamples;
  codecpar.extradata = opusHead();
}

/** Returns the identification header of Opus, RFC 7845, 5.1, without a pre-skip. */
function opusHead(): Buffer {
  const head = Buffer.alloc(19);
  head.write('OpusHead');
  head.writeUInt8(1, 8);
  head.writeUInt8(SOUND_FORMAT.channels, 9);
  head.writeUInt32LE(SOUND_FORMAT.sampleRate, 12);
  return head;
}

function check(status: number, what: string): void {
  if (status < 0) throw new Error(`The recording's file could not ${what} (${status}).`);
}
