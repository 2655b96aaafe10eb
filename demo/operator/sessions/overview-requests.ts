import type { SessionRow, SessionView } from '../../../src/api/index.js';
import { ApiError, request, send } from '../../api.js';

/** Timeout for the list and for the address of a session. Milliseconds. */
const DEADLINE_MS = 10_000;
/** Timeout for a picture. A session that has much to do takes some seconds. Milliseconds. */
const PICTURE_DEADLINE_MS = 15_000;
/** Quality of the pictures, of 100. */
const QUALITY = 60;

/** The first running sessions. */
export interface RunningSessions {
  sessions: SessionRow[];
  /** True if there may be more sessions. */
  more: boolean;
}

/** Returns the oldest running sessions, at most `limit`. Rejects with {@link ApiError}. */
export async function listSessions(key: string, limit: number): Promise<RunningSessions> {
  const sessions: SessionRow[] = [];
  let after: string | null = null;
  do {
    const query: string = after === null ? '' : `?${new URLSearchParams({ after_id: after })}`;
    const { results, next } = (await read(`/v0/vm${query}`, key)) as {
      results: SessionRow[];
      next: string | null;
    };
    // The page after the last session is empty.
    if (results.length === 0) return { sessions, more: false };
    sessions.push(...results);
    after = next;
  } while (sessions.length < limit && after !== null);
  return { sessions: sessions.slice(0, limit), more: after !== null };
}

/**
 * Returns the address of a session on this page's own origin, without a trailing slash. In a cluster this
 * node forwards requests to the node of the session. Rejects with {@link ApiError}.
 */
export async function addressOf(key: string, id: string): Promise<string> {
  const { embed_url: url } = (await read(`/v0/vm/${id}`, key)) as SessionView;
  return new URL(url).pathname;
}

/** Returns a picture of a session's screen as JPEG. Rejects with {@link ApiError}. */
export async function takePicture(key: string, address: string, scale: number): Promise<Blob> {
  const query = new URLSearchParams({ format: 'jpeg', quality: String(QUALITY), scale: String(scale) });
  const response = await send(`${address}/screenshot?${query}`, {
    key,
    signal: AbortSignal.timeout(PICTURE_DEADLINE_MS),
  });
  return response.blob().catch(noAnswer);
}

async function read(path: string, key: string): Promise<unknown> {
  const answer = await request(path, { key, signal: AbortSignal.timeout(DEADLINE_MS) });
  return answer ?? noAnswer();
}

function noAnswer(): never {
  throw new ApiError('unreachable', 'The service does not answer.', 0);
}
