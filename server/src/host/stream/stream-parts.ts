import type { MediaKind } from 'cloud-browser/protocol';
import type { HostSession } from '../../host-protocol.js';
import { BitBudget } from './bit-budget.js';
import type { Encoder } from '../encode/encoder.js';
import { H264Encoder } from '../encode/h264-encoder.js';
import { JpegEncoder } from '../encode/jpeg-encoder.js';
import type { FramePump } from './frame-pump.js';
import { bitRate, QUALITIES } from '../encode/quality.js';

/** Parts of a stream of one format. */
export interface StreamParts {
  encoder: Encoder;
  budget: BitBudget;
}

/** Pixels of the screen, and of the encoded picture. */
export type StreamSize = FramePump['size'];

const CHROMA = { 'h264-444': 'full', h264: 'shared', 'h264-limited': 'limited' } as const;

/** Makes the parts of a stream for the session's quality mode. */
export function streamParts(
  session: Pick<HostSession, 'quality' | 'fps'>,
  media: MediaKind,
  size: StreamSize,
): StreamParts {
  const { fps } = session;
  const quality = QUALITIES[session.quality];
  const kind = media === 'image' ? 'image' : 'video';
  return {
    encoder:
      media === 'image'
        ? new JpegEncoder(size, fps, quality.image)
        : new H264Encoder(size, fps, quality.video, CHROMA[media]),
    budget: new BitBudget(bitRate(quality, kind, { ...size, fps }), () => performance.now()),
  };
}

/**
 * Selects a viewer's format: the first that it offers. Outside `sharp` mode, 4:4:4 is used only if the viewer
 * offers nothing else. Such a stream needs about 50 % more bits, and about 50 % more processor time of the
 * viewer.
 */
export function mediaFor(
  { quality }: Pick<HostSession, 'quality'>,
  offered: readonly MediaKind[],
): MediaKind {
  const wanted = offered.find((media) => media !== 'h264-444' || quality === 'sharp');
  return wanted ?? offered[0] ?? 'image';
}
