import { createHash } from 'node:crypto';
import { AV_SAMPLE_FMT_FLTP, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, FormatContext, Frame, Packet } from 'node-av/lib';

/** Contents of a file that a page recorded. */
export interface Film {
  /** Frames that differ from the one before. */
  distinctFrames: number;
  /** Duration of its sound in seconds. */
  seconds: number;
  /** Median number of upward zero crossings of its sound per second: the frequency of a tone. */
  frequency: number;
  /** The loudest sample, 0 to 1. */
  loudness: number;
}

/** Decodes a recorded file with decoders other than the page's. */
export async function readFilm(path: string): Promise<Film> {
  const film: Film = { distinctFrames: 0, seconds: 0, frequency: 0, loudness: 0 };
  let picture = '';
  await decode(path, AVMEDIA_TYPE_VIDEO, ({ data }) => {
    const hash = createHash('sha1')
      .update(data?.[0] ?? '')
      .digest('hex');
    if (hash !== picture) film.distinctFrames += 1;
    picture = hash;
  });
  const waves: number[] = [];
  let [at, crossing, last, rate] = [0, 0, 0, 0];
  await decode(path, AVMEDIA_TYPE_AUDIO, ({ data, format, nbSamples, sampleRate }) => {
    const plane = data?.[0];
    if (!plane || format !== AV_SAMPLE_FMT_FLTP) throw new Error(`The sound has the format ${format}.`);
    for (const sample of new Float32Array(plane.buffer, plane.byteOffset, nbSamples)) {
      if (last < 0 && sample >= 0) {
        waves.push(at - crossing);
        crossing = at;
      }
      at += 1;
      film.loudness = Math.max(film.loudness, Math.abs(sample));
      last = sample;
    }
    film.seconds += nbSamples / sampleRate;
    rate = sampleRate;
  });
  waves.sort((a, b) => a - b);
  film.frequency = rate / (waves[waves.length >> 1] ?? Infinity);
  return film;
}

/** Passes each frame of a stream to the callback. The frame is valid during the call. */
async function decode(path: string, kind: number, take: (frame: Frame) => void): Promise<void> {
  const [file, decoder, packet, frame] = [new FormatContext(), new CodecContext(), new Packet(), new Frame()];
  try {
    FFmpegError.throwIfError(await file.openInput(path));
    FFmpegError.throwIfError(await file.findStreamInfo(null));
    const stream = file.streams.find(({ codecpar }) => codecpar.codecType === kind);
    if (!stream) throw new Error(`The file has no ${kind === AVMEDIA_TYPE_VIDEO ? 'picture' : 'sound'}.`);
    const codec = Codec.findDecoder(stream.codecpar.codecId);
    if (!codec) throw new Error('The file has a stream that cannot be decoded.');
    decoder.allocContext3(codec);
    FFmpegError.throwIfError(decoder.parametersToContext(stream.codecpar));
    FFmpegError.throwIfError(await decoder.open2(codec));
    packet.alloc();
    frame.alloc();
    while ((await file.readFrame(packet)) >= 0) {
      if (packet.streamIndex === stream.index) {
        FFmpegError.throwIfError(await decoder.sendPacket(packet));
        while ((await decoder.receiveFrame(frame)) >= 0) take(frame);
      }
      packet.unref();
    }
  } finally {
    frame.free();
    packet.free();
    decoder.freeContext();
    await file.closeInput();
  }
}
