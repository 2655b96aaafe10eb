import type { AVMediaType } from 'node-av/constants';
import { Codec, CodecContext, FormatContext, Frame, Packet } from 'node-av/lib';

/**
 * Decodes one track of a video file, and calls the function with each frame and its time in seconds of the
 * video. The frame is valid during the call.
 */
export async function decodeFrames(
  path: string,
  track: AVMediaType,
  onFrame: (frame: Frame, time: number) => void,
): Promise<void> {
  const context = new FormatContext();
  const packet = new Packet();
  const frame = new Frame();
  packet.alloc();
  frame.alloc();
  check(await context.openInput(path));
  check(await context.findStreamInfo());
  const stream = context.streams.find(({ codecpar }) => codecpar.codecType === track);
  const codec = stream && Codec.findDecoder(stream.codecpar.codecId);
  if (!stream || !codec) throw new Error('The file has no such track.');
  const decoder = new CodecContext();
  decoder.allocContext3(codec);
  check(decoder.parametersToContext(stream.codecpar));
  check(decoder.open2Sync(codec));
  const { num, den } = stream.timeBase;
  const take = () => {
    while (decoder.receiveFrameSync(frame) >= 0) {
      onFrame(frame, (Number(frame.pts) * num) / den);
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
