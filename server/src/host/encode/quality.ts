import type { HostSession } from '../../host-protocol.js';

/** How fine a moving picture is, how fine it gets at rest, and how coarse it may become to keep within its bits. */
export interface Fineness {
  coarse: number;
  fine: number;
  coarsest: number;
}

/** How a stream spends its bits. */
export interface Quality {
  /** Constant rate factors of x264: lower is finer, 23 is its own default. At 12 text is the original to the eye. */
  video: Fineness;
  /** Quantisers of the JPEG encoder, 1 the best. */
  image: Fineness;
  /** Bits a pixel that video takes at most, on average, times the pixels of the screen and the session's frames a second. */
  bitsPerPixel: number;
  /** Frames a second at most, whatever the session asks for. */
  maxFps: number;
}

/** A JPEG repeats what did not change: the same picture takes several times the bits. */
const IMAGE_ALLOWANCE = 4;

/**
 * `smooth` is for movement: 720p at 30 frames a second takes 6.3 Mbit/s at most, 1080p 14.1, and gets coarser before it
 * gets slower. `sharp` is for reading: three times the bits, and rather fewer frames than coarse ones. `blocky` is for poor
 * connections: few bits and few frames, though a picture at rest becomes readable.
 */
export const QUALITIES: Record<HostSession['quality'], Quality> = {
  sharp: {
    video: { coarse: 16, fine: 8, coarsest: 24 },
    image: { coarse: 3, fine: 1, coarsest: 6 },
    bitsPerPixel: 0.68,
    maxFps: 60,
  },
  smooth: {
    video: { coarse: 24, fine: 11, coarsest: 38 },
    image: { coarse: 5, fine: 2, coarsest: 14 },
    bitsPerPixel: 0.2267,
    maxFps: 60,
  },
  blocky: {
    video: { coarse: 34, fine: 22, coarsest: 46 },
    image: { coarse: 14, fine: 7, coarsest: 28 },
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
 * The encoder's number for a frame.
 *
 * @param fineness from 0, a moving picture, to 1, one at rest
 * @param strain from 0, bits are plenty, to 1, they are spent
 */
export function stepOf({ coarse, fine, coarsest }: Fineness, fineness: number, strain: number): number {
  const moving = coarse + (coarsest - coarse) * strain;
  return Math.round(moving + (fine - moving) * fineness);
}
