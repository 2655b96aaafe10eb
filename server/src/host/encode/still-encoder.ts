import {
  AV_PIX_FMT_BGR0,
  AV_PIX_FMT_BGRA,
  AV_PIX_FMT_RGB24,
  AV_PIX_FMT_YUVJ444P,
  AVCOL_RANGE_JPEG,
  FF_ENCODER_LIBWEBP,
  FF_ENCODER_MJPEG,
  FF_ENCODER_PNG,
  SWS_AREA,
  SWS_BICUBIC,
} from 'node-av/constants';
import { CodecContext, Frame, Packet, Rational, SoftwareScaleContext } from 'node-av/lib';
import type { PictureFormat } from 'cloud-browser/protocol';
import { BYTES_PER_PIXEL } from '../capture/frame-source.js';
import type { Size } from '../../platform/screen-size.js';
import { check, findEncoder } from './codec-encoder.js';

/** Pixels of a picture as the screen delivers them: 4 bytes per pixel (B, G, R, unused), without gaps. */
export interface Pixels extends Size {
  data: Buffer;
}

/** Encoder and pixel format of each format. WebP takes RGB, so that libwebp itself converts the colours. */
const CODECS = {
  png: { encoder: FF_ENCODER_PNG, pixels: AV_PIX_FMT_RGB24 },
  jpeg: { encoder: FF_ENCODER_MJPEG, pixels: AV_PIX_FMT_YUVJ444P },
  webp: { encoder: FF_ENCODER_LIBWEBP, pixels: AV_PIX_FMT_BGRA },
} as const;

/** Factor from a quantiser to libavcodec's unit of quality (`FF_QP2LAMBDA`). */
const LAMBDA = 118;
/** Quantisers of the JPEG encoder for the qualities 100 and 1. */
const JPEG_QUANTISERS = { best: 1, worst: 31 };
/** Level of zlib. Higher levels take twice the time and save only a few percent of the bytes. */
const PNG_LEVEL = '3';

/** Encodes one picture in another thread, scaled to `size`. */
export async function encodeStill(
  pixels: Pixels,
  size: Size,
  format: PictureFormat,
  quality: number,
): Promise<Buffer> {
  const { encoder, pixels: pixelFormat } = CODECS[format];
  const codec = findEncoder(encoder);
  const context = new CodecContext();
  const frame = new Frame();
  const packet = new Packet();
  try {
    frame.alloc();
    Object.assign(frame, { format: pixelFormat, width: size.width, height: size.height });
    check(frame.getBuffer(), 'allocate a frame');
    await scaleInto(frame, pixels, size);
    context.allocContext3(codec);
    context.width = size.width;
    context.height = size.height;
    context.pixelFormat = pixelFormat;
    context.timeBase = new Rational(1, 1);
    if (format === 'png') context.setOption('compression_level', PNG_LEVEL);
    if (format === 'webp') context.setOption('quality', String(quality));
    if (format === 'jpeg') {
      const { best, worst } = JPEG_QUANTISERS;
      context.colorRange = AVCOL_RANGE_JPEG;
      context.setOption('flags', '+qscale');
      context.globalQuality = LAMBDA * Math.round(best + ((worst - best) * (100 - quality)) / 99);
      frame.quality = context.globalQuality;
    }
    check(await context.open2(codec), 'open');
    packet.alloc();
    check(await context.sendFrame(frame), 'accept a frame');
    // The WebP encoder returns the packet only at the end of the stream.
    if (format === 'webp') await context.sendFrame(null);
    check(await context.receivePacket(packet), 'return a packet');
    return Buffer.from(packet.data ?? []);
  } finally {
    packet.free();
    frame.free();
    context.freeContext();
  }
}

/** Converts pixels to the format and size of a frame. */
async function scaleInto(frame: Frame, { data, width, height }: Pixels, size: Size): Promise<void> {
  const scaler = new SoftwareScaleContext();
  const same = width === size.width && height === size.height;
  try {
    scaler.getContext(
      ...([width, height, AV_PIX_FMT_BGR0] as const),
      ...([size.width, size.height, frame.format as typeof AV_PIX_FMT_RGB24] as const),
      same ? SWS_BICUBIC : SWS_AREA,
    );
    const planes = frame.data ?? [];
    const strides = frame.linesize.slice(0, planes.length);
    check(await scaler.scale([data], [width * BYTES_PER_PIXEL], 0, height, planes, strides), 'scale');
  } finally {
    scaler.freeContext();
  }
}
