import type { MediaKind } from '../protocol/index.js';
import { colourError } from './known-picture.js';
import type { DecoderPreference } from './picture-decoder.js';

/** Reason for showing only images. */
export type ImageOnlyCause = 'insecure-page' | 'no-webcodecs' | 'no-h264';

/** Media that this browser can show. */
export interface MediaSupport {
  /** Formats of frames for the client's `media`, best first. */
  kinds: MediaKind[];
  /** Decoder preference for WebCodecs. It has no effect on images. */
  acceleration: DecoderPreference;
  /** Set if this browser can show only images. */
  imageOnly?: { cause: ImageOnlyCause; /** A sentence for users. */ message: string };
}

/**
 * Order of decoders to try. A software decoder returns each picture immediately. Some hardware decoders delay
 * a few pictures, with all settings. So hardware is used only if there is no software decoder (Android,
 * Safari).
 */
const ACCELERATIONS: readonly DecoderPreference[] = ['prefer-software', 'no-preference'];

/** A typical stream of a host: Constrained Baseline at the level that covers 1920x1080. */
const PROBE: VideoDecoderConfig = {
  codec: 'avc1.42C028',
  codedWidth: 1920,
  codedHeight: 1080,
  optimizeForLatency: true,
};

/**
 * Timeout for a browser's answer, in milliseconds. The browser may have to start a process first. Without an
 * answer the feature counts as unsupported.
 */
const ANSWER_TIMEOUT_MS = 5_000;

/** Maximum colour error, out of 255. Coding and rounding cause up to 4, a wrong range causes 16. */
const TOLERANCE = 8;

const MESSAGES: Record<ImageOnlyCause, string> = {
  'insecure-page': 'Images are shown instead of video because this page is not served over https.',
  'no-webcodecs': 'Images are shown instead of video because this browser has no WebCodecs.',
  'no-h264': 'Images are shown instead of video because this browser cannot decode H.264.',
};

/** The globals that the probe reads. Tests pass their own. */
export interface SupportScope {
  readonly isSecureContext: boolean;
  readonly VideoDecoder?: { isConfigSupported(config: VideoDecoderConfig): Promise<VideoDecoderSupport> };
}

/**
 * Detects the media that this browser can show. Never rejects.
 *
 * @param error measures the largest colour error for a format with a decoder preference
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

/** Waits for an answer of the browser. Returns `otherwise` on failure or timeout. */
function inTime<T>(answer: Promise<T>, otherwise: T, timeoutMs: number): Promise<T> {
  const late = new Promise<T>((resolve) => setTimeout(resolve, timeoutMs, otherwise));
  return Promise.race([answer, late]).catch(() => otherwise);
}

/**
 * Returns the formats that a browser with H.264 can show, best first. Measures which range of levels gives
 * the right colours, or the smaller error.
 */
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

/**
 * Returns the formats to try if the format `failed` cannot be decoded, best first. `image` is the last one.
 */
export function simplerKinds(failed: MediaKind, kinds: readonly MediaKind[]): MediaKind[] {
  return kinds.slice(kinds.indexOf(failed) + 1);
}
