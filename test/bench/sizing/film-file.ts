import { AV_PIX_FMT_YUV420P, FF_ENCODER_LIBVPX_VP8 } from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, FormatContext, Frame, Packet, Rational } from 'node-av/lib';

const [WIDTH, HEIGHT] = [1280, 720];
const FRAMES_PER_SECOND = 30;
const SECONDS = 8;
/** As video sites send this size. */
const BITS_PER_SECOND = 2_500_000;
const check = (code: number) => FFmpegError.throwIfError(code);

/**
 * Writes a film in WebM, 720p, in which every pixel changes with every frame: soft waves with a grain, as
 * films have.
 */
export async function writeFilm(path: string): Promise<void> {
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBVPX_VP8);
  if (!codec) throw new Error('libavcodec has no VP8.');
  const [encoder, file, packet] = [new CodecContext(), new FormatContext(), new Packet()];
  encoder.allocContext3(codec);
  encoder.width = WIDTH;
  encoder.height = HEIGHT;
  encoder.pixelFormat = AV_PIX_FMT_YUV420P;
  encoder.timeBase = new Rational(1, FRAMES_PER_SECOND);
  encoder.framerate = new Rational(FRAMES_PER_SECOND, 1);
  encoder.bitRate = BigInt(BITS_PER_SECOND);
  encoder.gopSize = 2 * FRAMES_PER_SECOND;
  encoder.setOption('deadline', 'realtime');
  encoder.setOption('cpu-used', '6');
  check(encoder.open2Sync(codec));
  packet.alloc();
  check(file.allocOutputContext2(null, 'webm', path));
  const stream = file.newStream(codec);
  check(stream.codecpar.fromContext(encoder));
  stream.timeBase = encoder.timeBase;
  check(await file.openOutput());
  try {
    check(await file.writeHeader());
    const drain = async () => {
      while (encoder.receivePacketSync(packet) >= 0) {
        packet.rescaleTs(encoder.timeBase, stream.timeBase);
        packet.streamIndex = stream.index;
        check(await file.interleavedWriteFrame(packet));
      }
    };
    const picture = new MovingPicture();
    for (let number = 0; number < SECONDS * FRAMES_PER_SECOND; number++) {
      const frame = Frame.fromVideoBuffer(picture.at(number), {
        ...{ width: WIDTH, height: HEIGHT, format: AV_PIX_FMT_YUV420P, timeBase: encoder.timeBase },
      });
      frame.pts = BigInt(number);
      check(encoder.sendFrameSync(frame));
      frame.free();
      await drain();
    }
    check(encoder.sendFrameSync(null));
    await drain();
    check(await file.writeTrailer());
  } finally {
    packet.free();
    encoder.freeContext();
    await file.closeOutput();
  }
}

const STEPS = 4096;
const WAVE = Float32Array.from({ length: STEPS }, (_, step) => Math.sin((step / STEPS) * 2 * Math.PI));
const wave = (step: number) => WAVE[step & (STEPS - 1)] ?? 0;

/** Pictures of a film, in one buffer. */
class MovingPicture {
  readonly #bytes = Buffer.alloc((WIDTH * HEIGHT * 3) / 2);

  at(frame: number): Buffer {
    let index = 0;
    for (let y = 0; y < HEIGHT; y++)
      for (let x = 0; x < WIDTH; x++) {
        const waves = 50 * wave(x * 13 + y * 9 + frame * 41) + 40 * wave(x * 5 - y * 17 + frame * 67);
        this.#bytes[index++] = 128 + waves + ((x * 7_919 + y * 104_729 + frame * 31) % 13);
      }
    for (const turn of [29, -23])
      for (let y = 0; y < HEIGHT / 2; y++)
        for (let x = 0; x < WIDTH / 2; x++)
          this.#bytes[index++] = 128 + 60 * wave(x * 9 + y * 11 + frame * turn);
    return this.#bytes;
  }
}
