import type { HostSession } from '../../host-protocol.js';

/** Quantisers that a stream may use. A picture is finer with a lower quantiser. */
export interface QuantiserRange {
  /** Quantiser of a moving picture while there are enough bits. */
  moving: number;
  /** Quantiser of a picture at rest. */
  still: number;
  /** Quantiser of a moving picture when no bits are left. */
  max: number;
}

/** Settings of a stream: its quantisers, its bits and its maximum frame rate. */
export interface Quality {
  /** Constant rate factors of x264, whose default is 23. At 12, text looks like the original. */
  video: QuantiserRange;
  /** Quantisers of the JPEG encoder. 1 is the best. */
  image: QuantiserRange;
  /**
   * Maximum average number of bits per pixel of video. The bit rate is this number, multiplied by the pixels
   * of the screen and by the frames per second (the session's value, but at most `maxFps`).
   */
  bitsPerPixel: number;
  /** Maximum frames per second, also if the session requests more. */
  maxFps: number;
}

/**
 * Number of bits that JPEGs may use for each bit that video may use. A JPEG needs more bits, because it also
 * contains the unchanged parts.
 */
const IMAGE_ALLOWANCE = 4;

/**
 * Qualities that a session can request. `smooth` is for movement. At 30 frames per second, 720p uses at most
 * 6.3 Mbit/s, and 1080p at most 14.1 Mbit/s. If bits are scarce, the picture first becomes coarser, then the
 * frame rate drops. `sharp` is for reading. It uses three times the bits of `smooth`. If bits are scarce, the
 * picture becomes only a little coarser. It becomes much coarser only to keep a minimum frame rate. `blocky`
 * is for poor connections, with few bits and few frames. A picture at rest still becomes readable.
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

/** Returns the maximum average bits per second of a stream of this size. */
export function bitRate(
  { bitsPerPixel, maxFps }: Quality,
  kind: 'video' | 'image',
  { width, height, fps }: { width: number; height: number; fps: number },
): number {
  const allowance = kind === 'image' ? IMAGE_ALLOWANCE : 1;
  return bitsPerPixel * width * height * Math.min(fps, maxFps) * allowance;
}

/**
 * Returns the quantiser of a frame.
 *
 * @param sharpness from 0 (a moving picture) to 1 (a picture at rest)
 * @param strain shortage of bits, from 0 (enough) to 1 (no bits left)
 */
export function quantiserOf(range: QuantiserRange, sharpness: number, strain: number): number {
  const moving = range.moving + (range.max - range.moving) * strain;
  return Math.round(moving + (range.still - moving) * sharpness);
}
