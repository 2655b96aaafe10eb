import { FF_ENCODER_MJPEG } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import { check, CodecEncoder, findEncoder, videoContext, type CodedSize } from './codec-encoder.js';
import type { EncodeRequest } from './encoder.js';
import type { Picture } from './picture.js';
import { quantiserOf, type QuantiserRange } from './quality.js';

/** libavcodec gives a picture's quality in steps of so much a quantiser (`FF_QP2LAMBDA`). */
const LAMBDA = 118;

/** A JPEG for each frame, for viewers without WebCodecs: page not served over https, Firefox for Android. */
export class JpegEncoder extends CodecEncoder {
  /** @param range as quantisers */
  constructor(
    size: CodedSize,
    fps: number,
    private readonly range: QuantiserRange,
  ) {
    const codec = findEncoder(FF_ENCODER_MJPEG);
    const context = videoContext(codec, size, fps, 'shared');
    context.setOption('flags', '+qscale');
    context.globalQuality = LAMBDA * range.moving;
    check(context.open2Sync(codec), 'open');
    super(context, 'shared');
  }

  protected prepare({ frame }: Picture, { sharpness, strain }: EncodeRequest, pts: bigint): Frame {
    frame.pts = pts;
    frame.quality = LAMBDA * quantiserOf(this.range, sharpness, strain);
    return frame;
  }
}
