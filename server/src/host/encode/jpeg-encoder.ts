import { AV_PIX_FMT_YUVJ420P, AVCOL_RANGE_JPEG, FF_ENCODER_MJPEG } from 'node-av/constants';
import { Codec, CodecContext, Packet, Rational, type Frame } from 'node-av/lib';
import type { EncodedFrame, Encoder, EncodeRequest } from './encoder.js';
import type { Picture } from './picture.js';
import { quantiserOf, type QuantiserRange } from './quality.js';

/** libavcodec gives a picture's quality in steps of so much a quantiser (`FF_QP2LAMBDA`). */
const LAMBDA = 118;

/** A JPEG for each frame, for viewers without WebCodecs: page not served over https, Firefox for Android. */
export class JpegEncoder implements Encoder {
  readonly codec = '';
  readonly chroma = 'shared';
  readonly #context: CodecContext;
  readonly #packet = new Packet();
  #pts = 0n;

  constructor(
    size: { codedWidth: number; codedHeight: number },
    fps: number,
    /** As quantisers. */
    private readonly range: QuantiserRange,
  ) {
    const { codedWidth: width, codedHeight: height } = size;
    this.#packet.alloc();
    this.#context = openContext(width, height, fps, range.moving);
  }

  encode(picture: Picture, request: EncodeRequest): EncodedFrame {
    check(this.#context.sendFrameSync(this.#prepare(picture, request)));
    check(this.#context.receivePacketSync(this.#packet));
    return this.#take();
  }

  async encodeAside(picture: Picture, request: EncodeRequest): Promise<EncodedFrame> {
    check(await this.#context.sendFrame(this.#prepare(picture, request)));
    check(await this.#context.receivePacket(this.#packet));
    return this.#take();
  }

  close(): void {
    this.#context.freeContext();
    this.#packet.free();
  }

  #prepare({ frame }: Picture, { sharpness, strain }: EncodeRequest): Frame {
    frame.pts = this.#pts++;
    frame.quality = LAMBDA * quantiserOf(this.range, sharpness, strain);
    return frame;
  }

  #take(): EncodedFrame {
    const data = Buffer.from(this.#packet.data ?? []);
    this.#packet.unref();
    return { data, keyFrame: true };
  }
}

function openContext(width: number, height: number, fps: number, quantiser: number): CodecContext {
  const codec = Codec.findEncoderByName(FF_ENCODER_MJPEG);
  if (!codec) throw new Error('This build of node-av has no JPEG encoder.');
  const context = new CodecContext();
  context.allocContext3(codec);
  context.width = width;
  context.height = height;
  context.pixelFormat = AV_PIX_FMT_YUVJ420P;
  context.colorRange = AVCOL_RANGE_JPEG;
  context.timeBase = new Rational(1, fps);
  context.setOption('flags', '+qscale');
  context.globalQuality = LAMBDA * quantiser;
  check(context.open2Sync(codec));
  return context;
}

function check(status: number): void {
  if (status < 0) throw new Error(`The JPEG encoder failed (${status}).`);
}
