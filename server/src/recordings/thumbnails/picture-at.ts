import {
  AV_LOG_QUIET,
  AV_PIX_FMT_YUVJ420P,
  AVCOL_RANGE_JPEG,
  AVMEDIA_TYPE_VIDEO,
  FF_ENCODER_MJPEG,
  SWS_AREA,
} from 'node-av/constants';
import {
  Codec,
  CodecContext,
  FormatContext,
  Frame,
  Log,
  Packet,
  Rational,
  SoftwareScaleContext,
} from 'node-av/lib';

/** Quantiser of the JPEG encoder. */
const QUANTISER = 4;
/** Factor from a quantiser to libavcodec's unit of quality (`FF_QP2LAMBDA`). */
const LAMBDA = 118;

/**
 * Returns the picture that a video shows at a time, as JPEG.
 *
 * @param address address of the video, for libavformat
 * @param seconds time in the video
 * @param maxWidth maximum width of the result in pixels. A narrower picture keeps its size
 */
export async function pictureAt(address: string, seconds: number, maxWidth: number): Promise<Buffer> {
  Log.setLevel(AV_LOG_QUIET);
  const picture = new Frame();
  picture.alloc();
  try {
    await decodeUntil(address, seconds, picture);
    if (picture.width === 0) throw new Error('The video has no picture.');
    return await jpegOf(picture, maxWidth);
  } finally {
    picture.free();
  }
}

/** Decodes the pictures until a time. Afterwards, `picture` contains the last decoded picture. */
async function decodeUntil(address: string, seconds: number, picture: Frame): Promise<void> {
  const context = new FormatContext();
  const packet = new Packet();
  const frame = new Frame();
  const decoder = new CodecContext();
  packet.alloc();
  frame.alloc();
  try {
    check(await context.openInput(address), 'be opened');
    const stream = context.streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_VIDEO);
    const codec = stream && Codec.findDecoder(stream.codecpar.codecId);
    if (!stream || !codec) throw new Error('The file has no video.');
    decoder.allocContext3(codec);
    check(decoder.parametersToContext(stream.codecpar), 'be decoded');
    check(await decoder.open2(codec), 'be decoded');
    const { num, den } = stream.timeBase;
    const take = async () => {
      while ((await decoder.receiveFrame(frame)) >= 0) {
        picture.unref();
        picture.ref(frame);
        frame.unref();
      }
    };
    while ((await context.readFrame(packet)) >= 0) {
      const isPicture = packet.streamIndex === stream.index;
      const time = (Number(packet.pts) * num) / den;
      // For a time before the first picture, the first picture is used.
      if (isPicture && time > seconds && picture.width > 0) break;
      // If a picture cannot be decoded, `picture` keeps the previous one.
      if (isPicture) await decoder.sendPacket(packet);
      packet.unref();
      if (isPicture) await take();
    }
    await decoder.sendPacket(null);
    await take();
  } finally {
    decoder.freeContext();
    frame.free();
    packet.free();
    await context.closeInput();
  }
}

async function jpegOf(picture: Frame, maxWidth: number): Promise<Buffer> {
  const width = Math.min(maxWidth, picture.width);
  const height = Math.max(1, Math.round((picture.height * width) / picture.width));
  const codec = Codec.findEncoderByName(FF_ENCODER_MJPEG);
  if (!codec) throw new Error('This build of node-av has no encoder for JPEG.');
  const scaled = new Frame();
  const scaler = new SoftwareScaleContext();
  const encoder = new CodecContext();
  const packet = new Packet();
  try {
    scaled.alloc();
    Object.assign(scaled, { format: AV_PIX_FMT_YUVJ420P, width, height });
    check(scaled.getBuffer(), 'be scaled');
    const from = picture.format as typeof AV_PIX_FMT_YUVJ420P;
    scaler.getContext(picture.width, picture.height, from, width, height, AV_PIX_FMT_YUVJ420P, SWS_AREA);
    check(await scaler.scaleFrame(scaled, picture), 'be scaled');
    encoder.allocContext3(codec);
    Object.assign(encoder, { width, height, pixelFormat: AV_PIX_FMT_YUVJ420P, timeBase: new Rational(1, 1) });
    encoder.colorRange = AVCOL_RANGE_JPEG;
    encoder.setOption('flags', '+qscale');
    encoder.globalQuality = LAMBDA * QUANTISER;
    scaled.quality = encoder.globalQuality;
    scaled.pts = 0n;
    check(await encoder.open2(codec), 'be encoded');
    packet.alloc();
    check(await encoder.sendFrame(scaled), 'be encoded');
    check(await encoder.receivePacket(packet), 'be encoded');
    return Buffer.from(packet.data ?? []);
  } finally {
    packet.free();
    encoder.freeContext();
    scaler.freeContext();
    scaled.free();
  }
}

function check(status: number, what: string): void {
  if (status < 0) throw new Error(`The video could not ${what} (${status}).`);
}
