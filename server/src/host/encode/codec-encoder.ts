import { AVCOL_RANGE_JPEG, AVCOL_RANGE_MPEG } from 'node-av/constants';
import { Codec, CodecContext, Packet, Rational, type Frame } from 'node-av/lib';
import type { EncodedFrame, Encoder, EncodeRequest } from './encoder.js';
import { PIXEL_FORMATS, type Chroma, type Picture } from './picture.js';

/** Pixels of a picture as it is encoded. */
export interface CodedSize {
  codedWidth: number;
  codedHeight: number;
}

/** An encoder of libavcodec that holds nothing back: one frame in, its packet out. */
export abstract class CodecEncoder implements Encoder {
  codec = '';
  readonly #packet = new Packet();
  #pts = 0n;

  /** @param context open; closed with the encoder */
  protected constructor(
    protected readonly context: CodecContext,
    readonly chroma: Chroma,
  ) {
    this.#packet.alloc();
  }

  /**
   * Encodes at once, on this thread: the process has nothing better to do, and handing 3 ms of work to another thread and
   * waiting for its answer costs a millisecond more (720p, two cores: 20.9 against 26.3 ms from a click to its packet).
   */
  encode(picture: Picture, request: EncodeRequest): EncodedFrame {
    check(this.context.sendFrameSync(this.prepare(picture, request, this.#pts++)), 'take a frame');
    check(this.context.receivePacketSync(this.#packet), 'give a frame');
    return this.#take();
  }

  async encodeAside(picture: Picture, request: EncodeRequest): Promise<EncodedFrame> {
    check(await this.context.sendFrame(this.prepare(picture, request, this.#pts++)), 'take a frame');
    check(await this.context.receivePacket(this.#packet), 'give a frame');
    return this.#take();
  }

  close(): void {
    this.context.freeContext();
    this.#packet.free();
  }

  /** The picture's frame with this time stamp and what is asked for. */
  protected abstract prepare(picture: Picture, request: EncodeRequest, pts: bigint): Frame;

  /** The codec that a key frame states, if its format states one. */
  protected codecOf?(keyFrame: Buffer): string | undefined;

  #take(): EncodedFrame {
    const data = Buffer.from(this.#packet.data ?? []);
    const keyFrame = this.#packet.isKeyframe;
    this.#packet.unref();
    if (keyFrame) this.codec = this.codecOf?.(data) ?? this.codec;
    return { data, keyFrame };
  }
}

/** A context for pictures of a size, to be set up further and opened. `fps` is only a hint. */
export function videoContext(
  codec: Codec,
  { codedWidth, codedHeight }: CodedSize,
  fps: number,
  chroma: Chroma,
): CodecContext {
  const context = new CodecContext();
  context.allocContext3(codec);
  context.width = codedWidth;
  context.height = codedHeight;
  context.pixelFormat = PIXEL_FORMATS[chroma];
  context.timeBase = new Rational(1, fps);
  context.colorRange = chroma === 'limited' ? AVCOL_RANGE_MPEG : AVCOL_RANGE_JPEG;
  return context;
}

/** The encoder of this name; throws when this build of node-av lacks it. */
export function findEncoder(name: Parameters<typeof Codec.findEncoderByName>[0]): Codec {
  const codec = Codec.findEncoderByName(name);
  if (!codec) throw new Error(`This build of node-av has no ${name}.`);
  return codec;
}

/** Throws when libavcodec reports an error, which is a negative status; `what` the encoder did not do. */
export function check(status: number, what: string): void {
  if (status < 0) throw new Error(`The encoder did not ${what} (${status}).`);
}
