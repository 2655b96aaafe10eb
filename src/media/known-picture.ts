import type { MediaKind } from '../protocol/index.js';
import type { DecoderPreference } from './picture-decoder.js';

/** Side length of the test picture and of each of its tiles, in pixels. */
const SIZE = 64;
const TILE = 16;
/**
 * Colours of the tiles, row by row, in CSS notation. Some of these colours change much if the decoder uses a
 * wrong range or colour matrix.
 */
const COLOURS = 'fff eef fc0 111 f00 0f0 00f 000 888 ff0 0ff f0f 222 adf 840 064'.split(' ');

/** Codec strings for the level that covers 1920x1080, as in real streams. */
const CODECS = { 'h264-444': 'avc1.F40028', h264: 'avc1.42C028', 'h264-limited': 'avc1.42C028' } as const;
/**
 * The test picture for each format. It is encoded in the same way as the pictures of hosts: parameter sets
 * and a key frame at rate factor 16, Annex B, base64.
 */
const SAMPLES = {
  'h264-444':
    'AAABZ/QACpGWhCabgIaDIAAAAwAgAAAHkeJE1AAAAWjOArGSAAABZYiEokUAAT1uSKAAIK8UAA9FBkigACJ/FAAEbuKAAIR0kUAAVd4oAAjNRQABCHqKAAKu8UAAQj4oAAjtSRQABAfigACHXFAAEoe4oAAnTxQABMuigACJtUUAAQZ+ooAAjfRQABCOigACO3UUAASPooAAhFxQABHauKAAIq8UAASiooAAkXyRQABBWigACGtFAAEoaooAAmH9RQABBfigACSFFAAEKOooAAl3xQABFDigACT1cUAAQR4oAAhLRQABE/w=',
  h264: 'AAABZ0LACtoQmm4CGgyAAAADAIAAAB5HiRNQAAABaM4CvIAAAAFliISiYoAAnrRGKAAIK8cAA5HBiMUAARP44AAjdxwABCMiMUAAVd44AAjMRwABCHmxQABV3jgACEfHAAEdiIcUAAQH44AAipxwABGDiyRQABOnhAgBQNAAEqYMAAQFwQDILgAhawXABHrBcAELWJ1mbA0ABSQqAApIVAAUkKgAKSJxQABBnmxQABG+jgACEZHAAEduZRQABI+jgACO/HAAECyLJFAAEVeGAAVAAEDIAAQHoYAAgRAAgAAjRw8wABAAoRMAAQAKB5gACABQPMAAQAKCgABA1YsAAIGrBQAAgasWAAEDVghxQABBWjgACJZHAAEYSsUAATD5lFAAEF+OAAIIEcAAQU5lFAAEu+OAAIfccAAQ7J1FAAEEeOAAISkcAARP8A==',
};
/**
 * Timeout for decoding the picture, in milliseconds. Decoding takes a few milliseconds if the browser does
 * not have to start a process.
 */
const DECODE_TIMEOUT_MS = 3_000;

/** Loads the limited-range picture on demand, because few browsers need it. */
const sampleOf = async (kind: keyof typeof CODECS): Promise<string> =>
  kind === 'h264-limited' ? (await import('./known-picture-limited.js')).SAMPLE : SAMPLES[kind];

const outcomes = new Map<MediaKind, Promise<number>>();

/**
 * Measures the largest colour error of a test picture on this browser's canvas, from 0 to 255. The picture is
 * really decoded, because a decoder may fail although it claims to support the format, or may misread the
 * levels of a picture. Resolves to Infinity if the browser decodes no picture. Takes a few milliseconds, and
 * runs once per page and kind. Never rejects.
 */
export function colourError(
  kind: keyof typeof CODECS,
  hardwareAcceleration: DecoderPreference,
): Promise<number> {
  const config = { codec: CODECS[kind], optimizeForLatency: true, hardwareAcceleration };
  const outcome = outcomes.get(kind) ?? decode(config, kind).catch(() => Infinity);
  outcomes.set(kind, outcome);
  return outcome;
}

async function decode(config: VideoDecoderConfig, kind: keyof typeof CODECS): Promise<number> {
  const sample = await sampleOf(kind);
  const { supported } = await VideoDecoder.isConfigSupported(config);
  if (!supported) return Infinity;
  const frame = await new Promise<VideoFrame>((resolve, reject) => {
    const decoder = new VideoDecoder({ output: resolve, error: reject });
    const end = () => {
      if (decoder.state !== 'closed') decoder.close();
      reject(new Error('There was no picture.'));
    };
    setTimeout(end, DECODE_TIMEOUT_MS);
    decoder.configure(config);
    const data = Uint8Array.from(atob(sample), (character) => character.charCodeAt(0));
    decoder.decode(new EncodedVideoChunk({ type: 'key', timestamp: 0, data }));
    // Some decoders wait for more packets until they are flushed.
    decoder.flush().then(end, end);
  });
  try {
    return worstOf(frame);
  } finally {
    frame.close();
  }
}

/** Draws a frame and returns the largest error in the middle of the tiles. */
function worstOf(frame: VideoFrame): number {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SIZE;
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) return Infinity;
  context.drawImage(frame, 0, 0);
  const { data } = context.getImageData(0, 0, SIZE, SIZE);
  const errors = COLOURS.flatMap((colour, index) => {
    const x = ((index * TILE) % SIZE) + TILE / 2;
    const y = Math.floor((index * TILE) / SIZE) * TILE + TILE / 2;
    return [...colour].map((digit, part) =>
      Math.abs(parseInt(digit + digit, 16) - (data[(y * SIZE + x) * 4 + part] ?? 0)),
    );
  });
  return Math.max(...errors);
}
