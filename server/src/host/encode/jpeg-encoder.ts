import { FF_ENCODER_MJPEG } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import { check, CodecEncoder, findEncoder, videoContext, type CodedSize } from './codec-encoder.js';
import type { EncodeRequest } from './encoder.js';
import type { ScreenImage } from './screen-image.js';
import { quantiserOf, type QuantiserRange } from './quality.js';

/** Factor from a quantiser to libavcodec's unit of quality (`FF_QP2LAMBDA`). */
const LAMBDA = 118;

/**
 * Encodes each frame as a JPEG, for viewers without WebCodecs: pages without https, and Firefox for Android.
 */
export class JpegEncoder extends CodecEncoder {
  /** @param range quantisers of the JPEG encoder */
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

  protected prepare({ frame }: ScreenImage, { sharpness, strain }: EncodeRequest, pts: bigint): Frame {
    frame.pts = pts;
    frame.quality = LAMBDA * quantiserOf(this.range, sharpness, strain);
    return frame;
  }
}
