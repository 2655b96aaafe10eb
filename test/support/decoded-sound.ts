import { AVMEDIA_TYPE_AUDIO, AV_SAMPLE_FMT_FLTP } from 'node-av/constants';
import { Codec, CodecContext, FormatContext, Frame, Packet } from 'node-av/lib';

/**
 * Decodes the sound of a video file, and calls the function with each piece: its time in seconds of the
 * video, its samples from -1 to 1 of one channel, and samples per second.
 */
export async function decodeSound(
  path: string,
  onSamples: (time: number, samples: Float32Array, rate: number) => void,
): Promise<void> {
  const context = new FormatContext();
  const packet = new Packet();
  const frame = new Frame();
  packet.alloc();
  frame.alloc();
  check(await context.openInput(path));
  check(await context.findStreamInfo());
  const stream = context.streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO);
  const codec = stream && Codec.findDecoder(stream.codecpar.codecId);
  if (!stream || !codec) throw new Error('The file has no sound.');
  const decoder = new CodecContext();
  decoder.allocContext3(codec);
  check(decoder.parametersToContext(stream.codecpar));
  check(decoder.open2Sync(codec));
  const { num, den } = stream.timeBase;
  while ((await context.readFrame(packet)) >= 0) {
    if (packet.streamIndex === stream.index) {
      check(decoder.sendPacketSync(packet));
      while (decoder.receiveFrameSync(frame) >= 0) {
        if (frame.format !== AV_SAMPLE_FMT_FLTP) throw new Error(`Unexpected samples (${frame.format}).`);
        const [channel] = frame.data ?? [];
        const samples = Float32Array.from(
          { length: frame.nbSamples },
          (_, at) => channel?.readFloatLE(4 * at) ?? 0,
        );
        onSamples((Number(frame.pts) * num) / den, samples, frame.sampleRate);
        frame.unref();
      }
    }
    packet.unref();
  }
  decoder.freeContext();
  frame.free();
  packet.free();
  await context.closeInput();
}

function check(status: number): void {
  if (status < 0) throw new Error(`The sound cannot be decoded (${status}).`);
}
