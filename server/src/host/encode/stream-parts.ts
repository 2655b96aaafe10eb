import type { MediaKind } from 'cloud-browser/protocol';
import type { HostSession } from '../../host-protocol.js';
import { BitBudget } from './bit-budget.js';
import type { Encoder } from './encoder.js';
import { H264Encoder } from './h264-encoder.js';
import { JpegEncoder } from './jpeg-encoder.js';
import { bitRate, QUALITIES } from './quality.js';

/** What a stream of one format needs. */
export interface StreamParts {
  encoder: Encoder;
  budget: BitBudget;
}

/** Makes the parts of a stream as the session's quality mode has them. */
export function streamParts(
  session: HostSession,
  media: MediaKind,
  size: { codedWidth: number; codedHeight: number },
): StreamParts {
  const quality = QUALITIES[session.quality];
  const kind = media === 'image' ? 'image' : 'video';
  return {
    encoder:
      kind === 'image'
        ? new JpegEncoder(size, session.fps, quality.image)
        : new H264Encoder(size, session.fps, quality.video, media === 'h264-444' ? 'full' : 'shared'),
    budget: new BitBudget(bitRate(quality, kind, session), () => performance.now()),
  };
}
