import type { HostSession } from '../../host-protocol.js';

/** The quantisers of an encoder that a stream may use: the lower, the finer is the picture. */
export interface QuantiserRange {
  /** Of a moving picture while there are bits enough. */
  moving: number;
  /** Of a picture at rest. */
  still: number;
  /** Of a moving picture when all bits are spent. */
  max: number;
}

/** How a stream spends its bits. */
export interface Quality {
  /** Constant rate factors of x264: lower is finer, 23 is its own default. At 12 text is the original to the eye. */
  video: QuantiserRange;
  /** Quantisers of the JPEG encoder, 1 the best. */
  image: QuantiserRange;
  /** Bits a pixel that video takes at most, on average, times the pixels of the screen and the session's frames a second. */
  bitsPerPixel: number;
  /** Frames a second at most, whatever the session asks for. */
  maxFps: number;
}

/** JPEGs get so many times the bits of video: each repeats also what did not change. */
const IMAGE_ALLOWANCE = 4;

/**
 * `smooth` is for movement: 720p at 30 frames a second takes 6.3 Mbit/s at most, 1080p 14.1, and gets coarser before it
 * gets slower. `sharp` is for reading: three times the bits, and rather fewer frames than coarse ones. `blocky` is for poor
 * connections: few bits and few frames, though a picture at rest becomes readable.
 */
export const QUALITIES: Record<HostSession['quality'], Quality> = {
  sharp: {
    video: { moving: 16, still: 8, max: 24 },
    image: { moving: 3, still: 1, max: 6 },
    bitsPerPixel: 0.68,
    maxFps: 60,
  },
  smooth: {
    video: { moving: 24, still: 11, max: 38 },
    image: { moving: 5, still: 2, max: 14 },
    bitsPerPixel: 0.2267,
    maxFps: 60,
  },
  blocky: {
    video: { moving: 34, still: 22, max: 46 },
    image: { moving: 14, still: 7, max: 28 },
    bitsPerPixel: 0.06,
    maxFps: 24,
  },
};

/** Bits a second that a stream of this size may take on average. */
export function bitRate(
  { bitsPerPixel, maxFps }: Quality,
  kind: 'video' | 'image',
  { width, height, fps }: { width: number; height: number; fps: number },
): number {
  const allowance = kind === 'image' ? IMAGE_ALLOWANCE : 1;
  return bitsPerPixel * width * height * Math.min(fps, maxFps) * allowance;
}

/**
 * The quantiser of a frame.
 *
 * @param sharpness from 0, a moving picture, to 1, one at rest
 * @param strain from 0, bits are plenty, to 1, they are spent
 */
export function quantiserOf(range: QuantiserRange, sharpness: number, strain: number): number {
  const moving = range.moving + (range.max - range.moving) * strain;
  return Math.round(moving + (range.still - moving) * sharpness);
}
