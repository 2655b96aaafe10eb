import {
  AV_FRAME_DATA_REGIONS_OF_INTEREST,
  AV_FRAME_DATA_VIDEO_HINT,
  AV_PICTURE_TYPE_I,
  AV_PICTURE_TYPE_NONE,
  AV_VIDEO_HINT_TYPE_CHANGED,
  AVCOL_PRI_BT709,
  AVCOL_SPC_SMPTE170M,
  AVCOL_TRC_IEC61966_2_1,
  FF_ENCODER_LIBX264,
  FF_THREAD_SLICE,
} from 'node-av/constants';
import { Rational, type CodecContext, type Frame } from 'node-av/lib';
import { pixelsOf, type Rect } from '../capture/frame-source.js';
import { check, CodecEncoder, findEncoder, videoContext, type CodedSize } from './codec-encoder.js';
import type { EncodeRequest } from './encoder.js';
import type { Chroma, ScreenImage } from './screen-image.js';
import { nalTypeOf, nalUnits } from './nal-units.js';
import { quantiserOf, type QuantiserRange } from './quality.js';
import { SizeModel } from './size-model.js';
import { Smoothing } from './smoothing.js';

/** Private options of libavcodec's libx264. */
const OPTIONS = {
  preset: 'ultrafast',
  tune: 'zerolatency',
  // A requested key frame is an IDR frame: no later frame depends on a frame before it.
  'forced-idr': '1',
  // The encoder uses the hints about unchanged parts, see {@link hintChanged}.
  mb_info: '1',
  // Allows a quantiser for a single area, see {@link onlyArea}. The strength is too small to change any other
  // quantiser. At a strength of 0, x264 would turn this mode off.
  'aq-mode': '1',
  'aq-strength': '0.00001',
  // Makes key frames only on request. Only the rate factor sets the quantiser of the next frame, and earlier
  // pictures have no influence. The search finds movements over long distances. The preset alone finds only
  // movements of up to about 30 pixels. See the README.
  'x264-params': 'keyint=infinite:scenecut=0:qcomp=1:qpstep=51:me=umh:merange=32',
} as const;

/**
 * Parts of a picture that are encoded at the same time. More parts need more processors, and a part cannot
 * reuse the content of another part of the same picture. See the README.
 */
const SLICES = 2;

/**
 * Maximum size in bytes of a frame's first slice if it skips every block. It then contains only a header and
 * the number of skipped blocks. A slice that encodes a block has at least one byte more.
 */
const ALL_SKIPPED_BYTES = 9;
/**
 * Number of bytes by which a later slice may be larger, because its header contains the number of its first
 * block.
 */
const PLACE_BYTES = 1;

/** The coarsest quantiser of H.264 with 8 bits. */
const COARSEST = 51;

/**
 * H.264 encoder of libx264, tuned for latency. The profile is Constrained Baseline, or High 4:4:4 Predictive
 * if every pixel has its own colour.
 */
export class H264Encoder extends CodecEncoder {
  override readonly refinesAreas = true;
  #rateFactor: number;
  readonly #sizes: SizeModel;
  readonly #smoothing = new Smoothing();
  /** Quantiser of the last frame. A value above {@link COARSEST} means that the picture was smoothed. */
  #quantiser: number;

  /**
   * @param fps only a hint for rate control, because frames may be encoded at any time
   * @param range quantisers, as rate factors
   * @param now milliseconds on a monotonic clock
   */
  constructor(
    size: CodedSize,
    fps: number,
    private readonly range: QuantiserRange,
    chroma: Chroma,
    now: () => number = () => performance.now(),
  ) {
    super(openContext(size, fps, range.moving, chroma), chroma);
    this.#rateFactor = range.moving;
    this.#quantiser = range.moving;
    this.#sizes = new SizeModel(now);
  }

  override close(): void {
    super.close();
    this.#smoothing.close();
  }

  protected prepare({ frame: picture }: ScreenImage, request: EncodeRequest, pts: bigint): Frame {
    const { sharpness, strain, keyFrame, area, maxBytes = Infinity, areaOnly } = request;
    const wanted = quantiserOf(this.range, sharpness, strain);
    const least = maxBytes === Infinity ? 0 : this.#sizes.quantiserFor(pixelsOf(area), maxBytes);
    const { quantiser, factor } = smoothingOf(Math.max(wanted, least));
    const frame = factor === 1 ? picture : this.#smoothing.smoothed(picture, factor);
    this.#quantiser = quantiser;
    this.#setRateFactor(areaOnly ? COARSEST : Math.min(COARSEST, quantiser));
    frame.pts = pts;
    frame.pictType = keyFrame ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
    hintChanged(frame, area);
    frame.removeSideData(AV_FRAME_DATA_REGIONS_OF_INTEREST);
    if (areaOnly) onlyArea(frame, area, quantiser);
    return frame;
  }

  protected override learn({ area, sharpness }: EncodeRequest, bytes: number): void {
    if (sharpness === 0) this.#sizes.record(pixelsOf(area), this.#quantiser, bytes);
  }

  protected override isRepeat(data: Buffer): boolean {
    let most = ALL_SKIPPED_BYTES;
    for (const { length } of nalUnits(data)) {
      if (length > most) return false;
      most = ALL_SKIPPED_BYTES + PLACE_BYTES;
    }
    return true;
  }

  protected override codecOf(keyFrame: Buffer): string | undefined {
    return codecStringOf(keyFrame);
  }

  #setRateFactor(rateFactor: number): void {
    if (rateFactor === this.#rateFactor) return;
    this.#rateFactor = rateFactor;
    this.context.setOption('crf', String(rateFactor));
  }
}

/**
 * Returns the factor of the smoothing for a quantiser, and the quantiser to record. The factor 1 means no
 * smoothing. A quantiser above {@link COARSEST} needs smoothing. Averaging the picture over two columns and
 * two rows saves about as many bytes as six steps of the quantiser.
 */
function smoothingOf(quantiser: number): { quantiser: number; factor: number } {
  if (quantiser <= COARSEST) return { quantiser, factor: 1 };
  return quantiser <= COARSEST + 6
    ? { quantiser: COARSEST + 6, factor: 2 }
    : { quantiser: COARSEST + 12, factor: 4 };
}

function openContext(size: CodedSize, fps: number, rateFactor: number, chroma: Chroma): CodecContext {
  const codec = findEncoder(FF_ENCODER_LIBX264);
  const context = videoContext(codec, size, fps, chroma);
  context.framerate = new Rational(fps, 1);
  context.gopSize = -1;
  context.maxBFrames = 0;
  context.threadCount = SLICES;
  context.threadType = FF_THREAD_SLICE;
  // Sets the colour space in addition to the range. Otherwise some decoders show white as grey.
  context.colorSpace = AVCOL_SPC_SMPTE170M;
  context.colorPrimaries = AVCOL_PRI_BT709;
  context.colorTrc = AVCOL_TRC_IEC61966_2_1;
  // Sets the options one by one. A Dictionary in open2 would be freed twice, by libavcodec and by its
  // JavaScript owner.
  for (const [name, value] of Object.entries(OPTIONS)) check(context.setOption(name, value), `set ${name}`);
  check(context.setOption('crf', String(rateFactor)), 'set crf');
  check(context.open2Sync(codec), 'open');
  return context;
}

/**
 * Sizes of `AVVideoHint` and of the one `AVVideoRect` after it, on a 64-bit machine. Source:
 * libavutil/video_hint.h.
 */
const HINT_BYTES = 32;
const RECT_BYTES = 16;

/**
 * Tells the encoder that nothing has changed outside an area since the previous frame. libx264 then skips the
 * blocks outside of the area without comparing them. It encodes a block there only if the requested quantiser
 * is finer than the block's last one.
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

/** Size of `AVRegionOfInterest`. Source: libavutil/frame.h. */
const REGION_BYTES = 28;

/**
 * Sets the quantiser of an area of a frame whose rate factor is {@link COARSEST}. Outside of the area, the
 * encoder then skips each block that has not changed. It would encode such a block only to make it finer, and
 * {@link COARSEST} is never finer than before.
 */
function onlyArea(frame: Frame, { x, y, width, height }: Rect, quantiser: number): void {
  const region = frame.newSideData(AV_FRAME_DATA_REGIONS_OF_INTEREST, REGION_BYTES);
  region.writeUInt32LE(REGION_BYTES, 0);
  for (const [index, value] of [y, y + height, x, x + width].entries())
    region.writeInt32LE(value, 4 + 4 * index);
  // The offset is a fraction of the range of quantisers.
  region.writeInt32LE(quantiser - COARSEST, 20);
  region.writeInt32LE(COARSEST, 24);
}

/** Type of the NAL unit that contains the profile and the level; ITU-T H.264, table 7-1. */
const SEQUENCE_PARAMETER_SET = 7;

/**
 * Returns the codec string for WebCodecs, `avc1.PPCCLL`: profile, constraints and level from the stream's
 * sequence parameter set (RFC 6381; ITU-T H.264, 7.3.2.1). Undefined if the data contains no such set.
 */
export function codecStringOf(annexB: Uint8Array): string | undefined {
  const { buffer, byteOffset, byteLength } = annexB;
  for (const unit of nalUnits(Buffer.from(buffer, byteOffset, byteLength)))
    if (nalTypeOf(unit) === SEQUENCE_PARAMETER_SET && unit.length > 3)
      return `avc1.${unit.toString('hex', 1, 4)}`;
  return undefined;
}
