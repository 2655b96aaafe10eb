import { warnOf } from '../../element/flag-attribute.js';
import { parseEvents, type ReplayEvent } from '../replay-events.js';
import { SilenceLimit } from './silence-limit.js';

/** Longest time in which a refused request is repeated. Seconds. */
const PATIENCE_S = 10;
/** Statuses of refusals whose `Retry-After` says when the same request may succeed. */
const TEMPORARY: ReadonlySet<number> = new Set([429, 503]);
/**
 * Matches the part of an address that names a file of the recording. Some pages pass the address of such a
 * file instead of the recording's address.
 */
const FILE = /\/(video\.mp4|index\.m3u8|events|chapters\.vtt|thumbnail\.jpg)$/;
/** Width of the picture that is shown before the playback. Pixels. */
const POSTER_WIDTH = 1280;

/** Reason why a recording cannot be shown. */
export type ReplayFailure = 'access' | 'missing' | 'empty' | 'network' | 'format';

/** The recording cannot be shown. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';

  constructor(
    /** The reason as a code for programs. */
    readonly code: ReplayFailure,
    options?: ErrorOptions,
  ) {
    super(`The recording cannot be shown (${code}).`, options);
  }
}

/** Address of a recording, with the token and the start. */
export interface RecordingAddress {
  /** Address of the recording without the token. */
  readonly base: string;
  readonly token: string;
  /** Start of the playback in seconds. Undefined if the address contains no start. */
  readonly start: number | undefined;
}

/** A recording without its events. */
export interface RecordingData {
  /** Address for `<video>`. */
  readonly video: string;
  /** Address of a picture for the time before the playback. */
  readonly poster: string;
  readonly seconds: number;
  /** True while the recording is not finished. */
  readonly live: boolean;
}

/**
 * Reads the address that a page gives. It may be the address of a file of the recording, and it may contain
 * the token and the start as `t`. Throws {@link ReplayError}.
 */
export function readAddress(src: string, token: string, page: string): RecordingAddress {
  if (!URL.canParse(src, page)) throw new ReplayError('missing');
  const url = new URL(src, page);
  const given = token || (url.searchParams.get('token') ?? '');
  const start = startIn('t', url.searchParams.get('t') ?? /[#&]t=([^&]+)/.exec(url.hash)?.[1]);
  const base = `${url.origin}${url.pathname.replace(FILE, '').replace(/\/$/, '')}`;
  return { base, token: given, start };
}

/**
 * Parses a start such as `90`, `90s`, `1m30s` or `0:01:30`. Returns undefined for other values, and logs a
 * warning unless the value is empty.
 *
 * @param name name of the value in the page's code
 */
export function startIn(name: string, value: string | number | null | undefined): number | undefined {
  const seconds = secondsIn(String(value ?? ''));
  if (seconds === undefined && value !== '')
    warnOf(name, value, 'seconds, or a time such as "1m30s" or "1:30"', 'no start');
  return seconds;
}

/**
 * Returns a position in seconds. Undefined without a value, which frameworks set for a value that is not
 * available yet. Also undefined, with a warning, for a value that is no number. A video element then throws
 * an error. In a template, this error would end the rendering of the page.
 */
export function positionIn(position: unknown): number | undefined {
  if (position === undefined || position === null) return undefined;
  const time = Number(position);
  if (!Number.isNaN(time)) return time;
  warnOf('currentTime', position, 'a number of seconds', 'no change');
  return undefined;
}

function secondsIn(text: string): number | undefined {
  if (/^\d+(:[0-5]?\d){1,2}(\.\d+)?$/.test(text))
    return text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  const [, hours, minutes, seconds] = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s?)?$/.exec(text) ?? [];
  if ([hours, minutes, seconds].every((part) => part === undefined)) return undefined;
  return Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
}

/** Fetches a recording without its events. Rejects with {@link ReplayError}. */
export async function loadRecording(
  { base, token }: RecordingAddress,
  signal: AbortSignal,
): Promise<RecordingData> {
  const record = await fetchedText(base, token, signal);
  let view: { state?: unknown; seconds?: unknown } | null;
  try {
    view = JSON.parse(record) as typeof view;
  } catch (error) {
    // Without JSON in the body, the address is not that of a recording.
    throw new ReplayError('missing', { cause: error });
  }
  if (view === null) throw new ReplayError('missing');
  const { state } = view;
  if (state === 'failed') throw new ReplayError('empty');
  const live = state === 'recording' || state === 'finalizing';
  const seconds = typeof view.seconds === 'number' ? view.seconds : 0;
  // Chromium keeps the bytes of a video by its address, also with `no-store`. Without a change of the
  // address, it would show a growing recording as it was at the first load.
  const version = live ? `#${state}-${seconds}` : '';
  const query = token ? `?token=${encodeURIComponent(token)}` : '';
  return {
    video: `${base}/video.mp4${query}${version}`,
    poster: `${base}/thumbnail.jpg?width=${POSTER_WIDTH}${query.replace('?', '&')}`,
    seconds,
    live,
  };
}

/**
 * Returns the events of a recording. Undefined if they cannot be loaded. Never rejects. The time is limited
 * only while no bytes arrive, because the video is shown meanwhile.
 */
export async function loadEvents(
  { base, token }: RecordingAddress,
  signal: AbortSignal,
): Promise<readonly ReplayEvent[] | undefined> {
  try {
    return parseEvents(await fetchedText(`${base}/events`, token, signal));
  } catch (error) {
    // The service answers 404 for the events of an encrypted recording that has none.
    return error instanceof ReplayError && error.code === 'missing' ? [] : undefined;
  }
}

/**
 * Returns the reason why a video cannot be played. A video element reports the same error for a refused
 * request and for an unknown format, so this function requests the first byte. Never rejects.
 */
export async function videoFailure(
  video: string,
  cause: MediaError | null,
  signal: AbortSignal,
): Promise<ReplayError> {
  if (cause?.code === MediaError.MEDIA_ERR_DECODE) return new ReplayError('format', { cause });
  const limit = new SilenceLimit(signal);
  try {
    const answer = await fetched(video, '', limit, 0, { range: 'bytes=0-0' });
    await answer.body?.cancel();
  } catch (error) {
    return error instanceof ReplayError ? error : new ReplayError('network', { cause: error });
  } finally {
    limit.end();
  }
  const isUnplayable = cause?.code === MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED;
  return new ReplayError(isUnplayable ? 'format' : 'network', { cause });
}

/** Fetches a text. A slow network may take long, so the time limit applies only to silence. */
async function fetchedText(address: string, token: string, signal: AbortSignal): Promise<string> {
  const limit = new SilenceLimit(signal);
  try {
    const { body } = await fetched(address, token, limit, PATIENCE_S);
    const reader = body?.getReader();
    const decoder = new TextDecoder();
    let text = '';
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      limit.heard();
      text += decoder.decode(part.value, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    throw error instanceof ReplayError ? error : new ReplayError('network', { cause: error });
  } finally {
    limit.end();
  }
}

/** @param patience longest time in seconds in which a refused request is repeated */
async function fetched(
  address: string,
  token: string,
  limit: SilenceLimit,
  patience: number,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const headers = { ...more, ...(token && { authorization: `Bearer ${token}` }) };
  let answer: Response;
  try {
    answer = await fetch(address, { headers, signal: limit.signal });
  } catch (error) {
    throw new ReplayError('network', { cause: error });
  }
  limit.heard();
  if (answer.ok) return answer;
  const wait = TEMPORARY.has(answer.status) ? Number(answer.headers.get('retry-after')) : 0;
  if (wait > 0 && wait <= patience) {
    await new Promise((resolve) => setTimeout(resolve, wait * 1000));
    limit.heard();
    return fetched(address, token, limit, patience - wait, more);
  }
  if (answer.status === 401 || answer.status === 403) throw new ReplayError('access');
  throw new ReplayError(answer.status === 404 ? 'missing' : 'network');
}
