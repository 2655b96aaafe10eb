import { MEDIA_KINDS, type MediaKind } from '../protocol/index.js';
import { decodesFullColour } from './full-colour.js';

/** Why only images can be shown. */
export type ImageOnlyCause = 'insecure-page' | 'no-webcodecs' | 'no-h264';

/** What this browser can show, and how. */
export interface MediaSupport {
  /** Best first, for the client's `media`. */
  kinds: MediaKind[];
  /** For the decoder; only meaningful with video. */
  acceleration: HardwareAcceleration;
  /** Set when video cannot be shown. */
  imageOnly?: { cause: ImageOnlyCause; /** A sentence for people. */ message: string };
}

/**
 * A software decoder gives each picture back at once; some hardware decoders hold a few back whatever they are told.
 * So software comes first, and hardware where there is no software decoder (Android, Safari).
 */
const ACCELERATIONS: readonly HardwareAcceleration[] = ['prefer-software', 'no-preference'];

/** A typical stream of a host: Constrained Baseline at the level that covers 1920x1080. */
const PROBE: VideoDecoderConfig = {
  codec: 'avc1.42C028',
  codedWidth: 1920,
  codedHeight: 1080,
  optimizeForLatency: true,
};

const MESSAGES: Record<ImageOnlyCause, string> = {
  'insecure-page': 'Images are shown instead of video because this page is not served over https.',
  'no-webcodecs': 'Images are shown instead of video because this browser has no WebCodecs.',
  'no-h264': 'Images are shown instead of video because this browser cannot decode H.264.',
};

/** The globals that the probe reads; a test passes its own. */
export type SupportScope = Pick<typeof globalThis, 'isSecureContext'> & {
  VideoDecoder?: Pick<typeof VideoDecoder, 'isConfigSupported'>;
};

/**
 * Finds out what this browser can show. Never rejects.
 *
 * @param fullColour tries 4:4:4 with a decoder of this acceleration
 */
export async function probeMedia(
  scope: SupportScope = globalThis,
  fullColour = decodesFullColour,
): Promise<MediaSupport> {
  const decoder = scope.VideoDecoder;
  if (!decoder) return imagesOnly(scope.isSecureContext ? 'no-webcodecs' : 'insecure-page');
  for (const acceleration of ACCELERATIONS) {
    const config = { ...PROBE, hardwareAcceleration: acceleration };
    const supported = await decoder.isConfigSupported(config).then(
      (support) => support.supported === true,
      () => false,
    );
    if (!supported) continue;
    const kinds: MediaKind[] = ['h264', 'image'];
    return { kinds: (await fullColour(acceleration)) ? ['h264-444', ...kinds] : kinds, acceleration };
  }
  return imagesOnly('no-h264');
}

function imagesOnly(cause: ImageOnlyCause): MediaSupport {
  return { kinds: ['image'], acceleration: 'no-preference', imageOnly: { cause, message: MESSAGES[cause] } };
}

/** What to ask for when a kind could not be decoded after all, best first; nothing is simpler than images. */
export function simplerKinds(failed: MediaKind): MediaKind[] {
  return MEDIA_KINDS.slice(MEDIA_KINDS.indexOf(failed) + 1);
}
