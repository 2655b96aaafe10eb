import type { McpBrowser } from './mcp-browser.js';

/** Address and credential of a session. */
export interface RemoteSession {
  /** Address of the session, without a query. */
  url: string;
  /** Token of the scope `automation` or `admin`, or the admin token. */
  token: string;
}

/** Timeout of one call. A person may keep control for minutes. Milliseconds. */
const CALL_TIMEOUT_MS = 680_000;

/** Returns the browser of a session of a service that is reached over HTTP. */
export function remoteBrowser({ url, token }: RemoteSession): McpBrowser {
  const ask = <Answer>(path: string, body?: object) => askService<Answer>(`${url}/${path}`, token, body);
  return {
    call: (method, options) => ask(`computer/${method}`, options),
    requestHuman: (instructions, timeout) => ask('handoffs', { instructions, timeout }),
    humanAnswer: (id, seconds) => ask(`handoffs/${encodeURIComponent(id)}?wait=${seconds}`),
  };
}

/**
 * Sends a request to a service. The form of its answers is trusted. Rejects with the message of its error.
 */
export async function askService<Answer>(
  url: string,
  token: string,
  body?: object,
  method = body ? 'POST' : 'GET',
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.ok) return (await response.json()) as Answer;
  const refusal = (await response.json().catch(() => ({}))) as { message?: string };
  throw new Error(refusal.message ?? `The service answered with the status ${response.status}.`);
}
