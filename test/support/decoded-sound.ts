import { AVMEDIA_TYPE_AUDIO, AV_SAMPLE_FMT_FLTP } from 'node-av/constants';
import { decodeFrames } from './decoded-frames.js';

/**
 * Decodes the sound of a video file, and calls the function with each piece: its time in seconds of the
 * video, its samples from -1 to 1 of one channel, and samples per second.
 */
export function decodeSound(
  path: string,
  onSamples: (time: number, samples: Float32Array, rate: number) => void,
): Promise<void> {
  return decodeFrames(path, AVMEDIA_TYPE_AUDIO, (frame, time) => {
    if (frame.format !== AV_SAMPLE_FMT_FLTP) throw new Error(`Unexpected samples (${frame.format}).`);
    const [channel] = frame.data ?? [];
    const sampleAt = (_: unknown, at: number) => channel?.readFloatLE(4 * at) ?? 0;
    onSamples(time, Float32Array.from({ length: frame.nbSamples }, sampleAt), frame.sampleRate);
  });
}
