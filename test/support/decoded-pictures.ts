import { AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { Codec, CodecContext, FormatContext, Frame, Packet } from 'node-av/lib';

/** A decoded picture of a video. */
export interface DecodedPicture {
  /** Seconds of the video. */
  time: number;
  width: number;
  height: number;
  /** Returns the brightness of a pixel, 0 to 255. */
  luma(x: number, y: number): number;
  /** Returns the red chroma of a pixel, 0 to 255. It is 128 for grey and 255 for pure red. */
  redness(x: number, y: number): number;
}

/** Decodes all pictures of a video file, and calls the function with each. */
export async function decodePictures(
  path: string,
  onPicture: (picture: DecodedPicture) => void,
): Promise<void> {
  const context = new FormatContext();
  const packet = new Packet();
  const frame = new Frame();
  packet.alloc();
  frame.alloc();
  check(await context.openInput(path));
  check(await context.findStreamInfo());
  const stream = context.streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_VIDEO);
  const codec = stream && Codec.findDecoder(stream.codecpar.codecId);
  if (!stream || !codec) throw new Error('The file has no video.');
  const decoder = new CodecContext();
  decoder.allocContext3(codec);
  check(decoder.parametersToContext(stream.codecpar));
  check(decoder.open2Sync(codec));
  const { num, den } = stream.timeBase;
  const take = () => {
    while (decoder.receiveFrameSync(frame) >= 0) {
      const { width, height } = frame;
      const [plane, , red] = frame.data ?? [];
      const [stride = 0, , redStride = 0] = frame.linesize;
      const time = (Number(frame.pts) * num) / den;
      onPicture({
        ...{ time, width, height, luma: (x, y) => plane?.[y * stride + x] ?? 0 },
        redness: (x, y) => red?.[(y >> 1) * redStride + (x >> 1)] ?? 0,
      });
      frame.unref();
    }
  };
  while ((await context.readFrame(packet)) >= 0) {
    if (packet.streamIndex === stream.index) {
      check(decoder.sendPacketSync(packet));
      take();
    }
    packet.unref();
  }
  decoder.sendPacketSync(null);
  take();
  decoder.freeContext();
  frame.free();
  packet.free();
  await context.closeInput();
}

function check(status: number): void {
  if (status < 0) throw new Error(`The video cannot be decoded (${status}).`);
}
