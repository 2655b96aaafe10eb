import { AVCOL_RANGE_JPEG, AVCOL_RANGE_MPEG } from 'node-av/constants';
import { Codec, CodecContext, Packet, Rational, type Frame } from 'node-av/lib';
import type { EncodedFrame, Encoder, EncodeRequest } from './encoder.js';
import { PIXEL_FORMATS, type Chroma, type ScreenImage } from './screen-image.js';

/** Size of the encoded picture in pixels. */
export interface CodedSize {
  codedWidth: number;
  codedHeight: number;
}

/** Encoder of libavcodec without delay: it returns the packet of each frame immediately. */
export abstract class CodecEncoder implements Encoder {
  codec = '';
  readonly refinesAreas: boolean = false;
  readonly #packet = new Packet();
  #pts = 0n;

  /** @param context an open context, which {@link close} frees */
  protected constructor(
    protected readonly context: CodecContext,
    readonly chroma: Chroma,
  ) {
    this.#packet.alloc();
  }

  /**
   * Encodes immediately, on this thread. Encoding takes about 3 ms. Passing the work to another thread and
   * back would add a delay. With 720p and two cores, the time from a click to the packet that shows its
   * effect would be 26.3 ms instead of 20.9 ms.
   */
  encode(picture: ScreenImage, request: EncodeRequest): EncodedFrame {
    check(this.context.sendFrameSync(this.prepare(picture, request, this.#pts++)), 'accept a frame');
    check(this.context.receivePacketSync(this.#packet), 'return a packet');
    return this.#take(request);
  }

  async encodeAside(picture: ScreenImage, request: EncodeRequest): Promise<EncodedFrame> {
    check(await this.context.sendFrame(this.prepare(picture, request, this.#pts++)), 'accept a frame');
    check(await this.context.receivePacket(this.#packet), 'return a packet');
    return this.#take(request);
  }

  close(): void {
    this.context.freeContext();
    this.#packet.free();
  }

  /** Returns the frame to encode, with this time stamp and the settings of this request. */
  protected abstract prepare(picture: ScreenImage, request: EncodeRequest, pts: bigint): Frame;

  /** Records the size of a frame. Missing in encoders that do not limit the bytes of a frame. */
  protected learn?(request: EncodeRequest, bytes: number): void;

  /** Returns the codec string from a key frame. Missing in encoders of formats without a codec string. */
  protected codecOf?(keyFrame: Buffer): string | undefined;

  /** True if a frame that is not a key frame leaves the picture as it is. */
  protected isRepeat?(data: Buffer): boolean;

  #take(request: EncodeRequest): EncodedFrame {
    const data = Buffer.from(this.#packet.data ?? []);
    const keyFrame = this.#packet.isKeyframe;
    this.#packet.unref();
    this.learn?.(request, data.length);
    if (keyFrame) this.codec = this.codecOf?.(data) ?? this.codec;
    return { data, keyFrame, repeats: !keyFrame && this.isRepeat?.(data) === true };
  }
}

/**
 * Creates a codec context for pictures of this size. The caller sets further options and opens the context.
 * `fps` is only a hint.
 */
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

/** Returns the encoder with this name. Throws if this build of node-av lacks it. */
export function findEncoder(name: Parameters<typeof Codec.findEncoderByName>[0]): Codec {
  const codec = Codec.findEncoderByName(name);
  if (!codec) throw new Error(`This build of node-av has no ${name}.`);
  return codec;
}

/** Throws if libavcodec reports an error (a negative status). `what` names the step that failed. */
export function check(status: number, what: string): void {
  if (status < 0) throw new Error(`The encoder did not ${what} (${status}).`);
}
