import type { Role } from '../src/index.js';

/** Options of a new session. */
export interface SessionRequest {
  start_url?: string;
  width: number;
  height: number;
  pixel_ratio?: 'auto';
  max_area?: number;
  fps: number;
  quality?: { mode: 'smooth' | 'sharp' };
  kiosk: boolean;
  touch_gestures?: { pinch: boolean; swipe: boolean };
  user_agent?: 'chrome_android';
  default_roles?: Role[];
  automation?: { name: string };
  record?: boolean;
}

/** A created session in the service's answer. */
export interface Session {
  session_id: string;
  embed_url: string;
  admin_token: string;
}

/** The service refused, or did not answer. The message is a sentence for the user. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** Exchanges the one-time secret of a start address for the key that the service made for its run. */
export async function lentApiKey(secret: string): Promise<string> {
  const { api_key: key } = (await request('/demo/key', { method: 'POST', body: { secret } })) as {
    api_key: string;
  };
  return key;
}

export async function createSession(key: string, sessionRequest: SessionRequest): Promise<Session> {
  return (await request('/v0/vm', { method: 'POST', key, body: sessionRequest })) as Session;
}

/** Returns true if a session is still running. */
export async function isRunning(key: string, id: string): Promise<boolean> {
  const record = (await request(`/v0/vm/${id}`, { key })) as { termination_date: string | null };
  return record.termination_date === null;
}

export async function endSession(key: string, id: string): Promise<void> {
  await request(`/v0/vm/${id}`, { method: 'DELETE', key });
}

/**
 * Makes a request to a session, with its admin token.
 *
 * @param path relative to the session's address
 * @param body default: none, for a `GET`
 */
export function callSession(session: Session, path: string, body?: object): Promise<unknown> {
  const { pathname } = new URL(session.embed_url);
  const method = body ? 'POST' : 'GET';
  return request(`${pathname}/${path}`, { method, key: session.admin_token, body });
}

interface RequestParts {
  method?: string;
  key?: string;
  body?: unknown;
  /** Aborts the request, for example after a timeout. */
  signal?: AbortSignal;
}

/** Makes a request to the service, and returns the JSON of its response. Rejects with {@link ApiError}. */
export async function request(path: string, parts?: RequestParts): Promise<unknown> {
  const response = await send(path, parts);
  return response.json().catch(() => undefined) as Promise<unknown>;
}

/** Makes a request to the service. Resolves to a successful response. Rejects with {@link ApiError}. */
export async function send(
  path: string,
  { method = 'GET', key, body, signal }: RequestParts = {},
): Promise<Response> {
  const headers = new Headers();
  if (key) headers.set('authorization', `Bearer ${key}`);
  if (body) headers.set('content-type', 'application/json');
  let response: Response;
  try {
    response = await fetch(path, {
      ...{ method, headers, body: body ? JSON.stringify(body) : null },
      ...(signal && { signal }),
    });
  } catch {
    throw new ApiError(
      'unreachable',
      'The service does not answer. Check that it is running, then try again.',
      0,
    );
  }
  if (response.ok) return response;
  throw refusal(response.status, await response.json().catch(() => undefined));
}

function refusal(status: number, answer: unknown): ApiError {
  const { code = 'unknown', message } = (answer ?? {}) as { code?: string; message?: string };
  if (status === 401)
    return new ApiError(code, 'The service does not know this API key. Enter another one.', status);
  if (status === 429) {
    return new ApiError(
      code,
      'Too many sessions were started just now. Wait a moment, then try again.',
      status,
    );
  }
  return new ApiError(code, message ?? `The service failed (status ${status}). Try again.`, status);
}
