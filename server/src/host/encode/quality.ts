import type { HostSession } from '../../host-protocol.js';

/** How a stream spends its bits. Constant rate factors of x264: lower is finer, 23 is its own default. */
export interface Quality {
  /** Of a picture that moves. */
  coarse: number;
  /** Of a picture at rest. At 12 text is the original to the eye. */
  fine: number;
  /** Quantisers of the JPEG encoder for the same two, 1 the best. */
  jpeg: { coarse: number; fine: number };
  /** Frames a second at most, whatever the session asks for. */
  maxFps: number;
}

/**
 * `smooth` is for movement. `sharp` is for reading: text stays fine while it scrolls, at about three times the bits.
 * `blocky` is for poor connections: few bits and few frames, though a picture at rest becomes readable.
 */
export const QUALITIES: Record<HostSession['quality'], Quality> = {
  sharp: { coarse: 16, fine: 8, jpeg: { coarse: 3, fine: 1 }, maxFps: 60 },
  smooth: { coarse: 24, fine: 11, jpeg: { coarse: 5, fine: 2 }, maxFps: 60 },
  blocky: { coarse: 34, fine: 22, jpeg: { coarse: 14, fine: 7 }, maxFps: 24 },
};
