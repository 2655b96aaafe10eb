import {
  AV_PICTURE_TYPE_I,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_YUVJ420P,
  AV_PIX_FMT_YUVJ444P,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_JPEG,
  AVCOL_SPC_SMPTE170M,
  AVCOL_TRC_IEC61966_2_1,
  FF_ENCODER_LIBX264,
  AV_FRAME_DATA_VIDEO_HINT,
  AV_VIDEO_HINT_TYPE_CHANGED,
} from 'node-av/constants';
import { Codec, CodecContext, Packet, Rational, type Frame } from 'node-av/lib';
import type { EncodedFrame, Encoder, EncodeRequest } from './encoder.js';
import type { Chroma, Picture } from './picture.js';
import { quantiserOf, type QuantiserRange } from './quality.js';
import type { Rect } from '../capture/frame-source.js';

/** Private options of libavcodec's libx264. */
const OPTIONS = {
  preset: 'ultrafast',
  tune: 'zerolatency',
  // A key frame that is asked for starts anew: nothing after it refers to anything before it.
  'forced-idr': '1',
  // The encoder takes our word for the parts that did not change, see `changed-hint.ts`.
  mb_info: '1',
  // Key frames only when asked for. The quantiser follows the rate factor alone and at once, not the picture's history.
  'x264-params': 'keyint=infinite:scenecut=0:qcomp=1:qpstep=51',
} as const;

/**
 * H.264 by libx264, one frame in and one frame out, tuned for latency: Constrained Baseline, or High 4:4:4 Predictive where
 * every pixel has its own colour.
 */
export class H264Encoder implements Encoder {
  codec = '';
  readonly #context: CodecContext;
  readonly #packet = new Packet();
  #pts = 0n;
  #rateFactor: number;

  /** @param fps only a hint for rate control: frames may come at any time */
  constructor(
    size: { codedWidth: number; codedHeight: number },
    fps: number,
    /** As rate factors. */
    private readonly range: QuantiserRange,
    readonly chroma: Chroma,
  ) {
    this.#packet.alloc();
    this.#rateFactor = range.moving;
    this.#context = openContext(size, fps, range.moving, chroma);
  }

  /**
   * Encodes at once, on this thread: the process has nothing better to do, and handing 3 ms of work to another thread and
   * waiting for its answer costs a millisecond more (720p, two cores: 20.9 against 26.3 ms from a click to its packet).
   */
  encode(picture: Picture, request: EncodeRequest): EncodedFrame {
    check(this.#context.sendFrameSync(this.#prepare(picture, request)), 'take a frame');
    check(this.#context.receivePacketSync(this.#packet), 'give a frame');
    return this.#take();
  }

  async encodeAside(picture: Picture, request: EncodeRequest): Promise<EncodedFrame> {
    check(await this.#context.sendFrame(this.#prepare(picture, request)), 'take a frame');
    check(await this.#context.receivePacket(this.#packet), 'give a frame');
    return this.#take();
  }

  close(): void {
    this.#context.freeContext();
    this.#packet.free();
  }

  #prepare({ frame }: Picture, { sharpness, strain, keyFrame, area }: EncodeRequest): Frame {
    this.#setRateFactor(quantiserOf(this.range, sharpness, strain));
    frame.pts = this.#pts++;
    frame.pictType = keyFrame ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
    hintChanged(frame, area);
    return frame;
  }

  #take(): EncodedFrame {
    const data = Buffer.from(this.#packet.data ?? []);
    const keyFrame = this.#packet.isKeyframe;
    this.#packet.unref();
    if (keyFrame) this.codec = codecStringOf(data) ?? this.codec;
    return { data, keyFrame };
  }

  #setRateFactor(rateFactor: number): void {
    if (rateFactor === this.#rateFactor) return;
    this.#rateFactor = rateFactor;
    this.#context.setOption('crf', String(rateFactor));
  }
}

function openContext(
  { codedWidth, codedHeight }: { codedWidth: number; codedHeight: number },
  fps: number,
  rateFactor: number,
  chroma: Chroma,
): CodecContext {
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBX264);
  if (!codec) throw new Error('This build of node-av has no libx264.');
  const context = new CodecContext();
  context.allocContext3(codec);
  context.width = codedWidth;
  context.height = codedHeight;
  context.pixelFormat = chroma === 'full' ? AV_PIX_FMT_YUVJ444P : AV_PIX_FMT_YUVJ420P;
  context.timeBase = new Rational(1, fps);
  context.framerate = new Rational(fps, 1);
  context.gopSize = -1;
  context.maxBFrames = 0;
  // One thread: a frame's slices in parallel would wake both cores for 3 ms of work and disturb the browser.
  context.threadCount = 1;
  // Full range and named colours, so that white comes back as white.
  context.colorRange = AVCOL_RANGE_JPEG;
  context.colorSpace = AVCOL_SPC_SMPTE170M;
  context.colorPrimaries = AVCOL_PRI_BT709;
  context.colorTrc = AVCOL_TRC_IEC61966_2_1;
  // Set one by one: a Dictionary given to open2 is freed by libavcodec and again by its JavaScript owner.
  for (const [name, value] of Object.entries(OPTIONS)) check(context.setOption(name, value), `take ${name}`);
  check(context.setOption('crf', String(rateFactor)), 'take crf');
  check(context.open2Sync(codec), 'open');
  return context;
}

function check(status: number, what: string): void {
  if (status < 0) throw new Error(`The H.264 encoder did not ${what} (${status}).`);
}

/** `AVVideoHint` and one `AVVideoRect` behind it on a 64-bit machine. Source: libavutil/video_hint.h. */
const HINT_BYTES = 32;
const RECT_BYTES = 16;

/**
 * Tells the encoder that nothing changed outside an area since the frame before. libx264 then skips those blocks unless
 * they are now to be finer than they are, instead of comparing each with what it was.
 */
export function hintChanged(frame: Frame, { x, y, width, height }: Rect): void {
  frame.removeSideData(AV_FRAME_DATA_VIDEO_HINT);
  const hint = frame.newSideData(AV_FRAME_DATA_VIDEO_HINT, HINT_BYTES + RECT_BYTES);
  hint.fill(0);
  hint.writeBigUInt64LE(1n, 0);
  hint.writeBigUInt64LE(BigInt(HINT_BYTES), 8);
  hint.writeBigUInt64LE(BigInt(RECT_BYTES), 16);
  hint.writeUInt32LE(AV_VIDEO_HINT_TYPE_CHANGED, 24);
  for (const [index, value] of [x, y, width, height].entries())
    hint.writeUInt32LE(value, HINT_BYTES + 4 * index);
}

/** The type of the unit that states profile and level; ITU-T H.264, table 7-1. */
const SEQUENCE_PARAMETER_SET = 7;

/**
 * The codec string for WebCodecs, `avc1.PPCCLL`: profile, constraints and level as the stream itself states them in its
 * sequence parameter set (RFC 6381; ITU-T H.264, 7.3.2.1). Undefined when the data holds none.
 */
export function codecStringOf(annexB: Uint8Array): string | undefined {
  for (let index = 0; index + 7 < annexB.length; index++) {
    const startCode = annexB[index] === 0 && annexB[index + 1] === 0 && annexB[index + 2] === 1;
    if (!startCode || ((annexB[index + 3] ?? 0) & 0x1f) !== SEQUENCE_PARAMETER_SET) continue;
    const bytes = annexB.subarray(index + 4, index + 7);
    return `avc1.${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  }
  return undefined;
}
