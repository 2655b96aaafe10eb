import {
  AV_CODEC_ID_MJPEG,
  AV_CODEC_ID_PNG,
  AV_CODEC_ID_WEBP,
  AV_PIX_FMT_RGB24,
  SWS_BICUBIC,
} from 'node-av/constants';
import { Codec, CodecContext, Frame, Packet, SoftwareScaleContext } from 'node-av/lib';
import type { PictureFormat } from 'cloud-browser/protocol';

/** A decoded picture. */
export interface DecodedStill {
  width: number;
  height: number;
  /** Red, green and blue of a pixel. */
  at(x: number, y: number): number[];
}

/** Bytes that the scaler may write behind the last row, because it writes whole registers. */
const SCALER_PADDING = 64;

const DECODERS = { png: AV_CODEC_ID_PNG, jpeg: AV_CODEC_ID_MJPEG, webp: AV_CODEC_ID_WEBP } as const;

/** Decodes a picture by its format, with libavcodec. */
export async function decodeStill(bytes: Buffer, format: PictureFormat): Promise<DecodedStill> {
  const codec = Codec.findDecoder(DECODERS[format]);
  if (!codec) throw new Error(`This build of node-av cannot decode ${format}.`);
  const [context, packet, frame, scaler] = [
    new CodecContext(),
    new Packet(),
    new Frame(),
    new SoftwareScaleContext(),
  ];
  try {
    context.allocContext3(codec);
    await context.open2(codec);
    packet.alloc();
    packet.data = bytes;
    frame.alloc();
    await context.sendPacket(packet);
    await context.sendPacket(null);
    const status = await context.receiveFrame(frame);
    if (status < 0) throw new Error(`The ${format} cannot be decoded (${status}).`);
    const { width, height } = frame;
    const rgb = Buffer.alloc(width * height * 3 + SCALER_PADDING);
    scaler.getContext(
      ...([width, height, frame.format as typeof AV_PIX_FMT_RGB24] as const),
      ...([width, height, AV_PIX_FMT_RGB24, SWS_BICUBIC] as const),
    );
    const planes = frame.data ?? [];
    await scaler.scale(planes, frame.linesize.slice(0, planes.length), 0, height, [rgb], [width * 3]);
    return { width, height, at: (x, y) => [...rgb.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)] };
  } finally {
    frame.free();
    packet.free();
    context.freeContext();
    scaler.freeContext();
  }
}
