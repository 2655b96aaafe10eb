import type { MediaKind } from '../protocol/index.js';
import { colourError } from './known-picture.js';
import type { DecoderPreference } from './picture-decoder.js';

/** Why only images can be shown. */
export type ImageOnlyCause = 'insecure-page' | 'no-webcodecs' | 'no-h264';

/** What this browser can show, and how. */
export interface MediaSupport {
  /** Best first, for the client's `media`. */
  kinds: MediaKind[];
  /** For the decoder; only meaningful with video. */
  acceleration: DecoderPreference;
  /** Set when video cannot be shown. */
  imageOnly?: { cause: ImageOnlyCause; /** A sentence for people. */ message: string };
}

/**
 * A software decoder gives each picture back at once; some hardware decoders hold a few back whatever they are told.
 * So software comes first, and hardware where there is no software decoder (Android, Safari).
 */
const ACCELERATIONS: readonly DecoderPreference[] = ['prefer-software', 'no-preference'];

/** A typical stream of a host: Constrained Baseline at the level that covers 1920x1080. */
const PROBE: VideoDecoderConfig = {
  codec: 'avc1.42C028',
  codedWidth: 1920,
  codedHeight: 1080,
  optimizeForLatency: true,
};

/** A browser that takes longer to tell what it can is taken for one that cannot; it may have to start a process first. */
const ANSWER_TIMEOUT_MS = 5_000;

/** How wrong a colour may be, of 255. Coding and rounding take 4, the levels of another range 16. */
const TOLERANCE = 8;

const MESSAGES: Record<ImageOnlyCause, string> = {
  'insecure-page': 'Images are shown instead of video because this page is not served over https.',
  'no-webcodecs': 'Images are shown instead of video because this browser has no WebCodecs.',
  'no-h264': 'Images are shown instead of video because this browser cannot decode H.264.',
};

/** The globals that the probe reads; a test passes its own. */
export interface SupportScope {
  readonly isSecureContext: boolean;
  readonly VideoDecoder?: { isConfigSupported(config: VideoDecoderConfig): Promise<VideoDecoderSupport> };
}

/**
 * Finds out what this browser can show. Never rejects.
 *
 * @param error how wrong the worst colour is in pictures of a kind, with a decoder of this acceleration
 */
export async function probeMedia(
  scope: SupportScope = globalThis,
  error = colourError,
  timeoutMs = ANSWER_TIMEOUT_MS,
): Promise<MediaSupport> {
  const decoder = scope.VideoDecoder;
  if (!decoder) return imagesOnly(scope.isSecureContext ? 'no-webcodecs' : 'insecure-page');
  for (const acceleration of ACCELERATIONS) {
    const config = { ...PROBE, hardwareAcceleration: acceleration };
    const { supported } = await inTime<VideoDecoderSupport>(decoder.isConfigSupported(config), {}, timeoutMs);
    if (!supported) continue;
    const kinds = await kindsOf((kind) => inTime(error(kind, acceleration), Infinity, timeoutMs));
    return { kinds, acceleration };
  }
  return imagesOnly('no-h264');
}

/** An answer of the browser; `otherwise` when it fails or does not come. */
function inTime<T>(answer: Promise<T>, otherwise: T, timeoutMs: number): Promise<T> {
  const late = new Promise<T>((resolve) => setTimeout(resolve, timeoutMs, otherwise));
  return Promise.race([answer, late]).catch(() => otherwise);
}

/** Of the two ranges the one with the right colours; where neither has them, the one that is less wrong. */
async function kindsOf(
  error: (kind: Parameters<typeof colourError>[0]) => Promise<number>,
): Promise<MediaKind[]> {
  const [full, shared] = await Promise.all([error('h264-444'), error('h264')]);
  const limited = shared > TOLERANCE && (await error('h264-limited')) < shared;
  return [...(full <= TOLERANCE ? (['h264-444'] as const) : []), limited ? 'h264-limited' : 'h264', 'image'];
}

function imagesOnly(cause: ImageOnlyCause): MediaSupport {
  return { kinds: ['image'], acceleration: 'no-preference', imageOnly: { cause, message: MESSAGES[cause] } };
}

/** What to ask for, of `kinds`, when one could not be decoded after all, best first; nothing is simpler than images. */
export function simplerKinds(failed: MediaKind, kinds: readonly MediaKind[]): MediaKind[] {
  return kinds.slice(kinds.indexOf(failed) + 1);
}
