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
  const ask = <Answer>(path: string, body?: object, method?: string) =>
    askService<Answer>(`${url}/${path}`, token, body, method);
  return {
    call: (method, options) => ask(`computer/${method}`, options),
    requestHuman: (instructions, timeout) => ask('handoffs', { instructions, timeout }),
    humanAnswer: (id, seconds) => ask(`handoffs/${encodeURIComponent(id)}?wait=${seconds}`),
    withdrawHuman: (id) => ask(`handoffs/${encodeURIComponent(id)}`, undefined, 'DELETE'),
  };
}

/** A service refused a request, or did not answer. The message is for a person or a model. */
export class ServiceRequestError extends Error {
  override readonly name = 'ServiceRequestError';

  /** @param code the code of the service, or `err_unreachable` */
  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Sends a request to a service. The form of its answers is trusted. Rejects with {@link ServiceRequestError}.
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
  }).catch((cause: unknown) => {
    const message = `The service at ${new URL(url).origin} does not answer. Check CLOUD_BROWSER_URL.`;
    throw new ServiceRequestError('err_unreachable', message, { cause });
  });
  if (response.ok) return (await response.json()) as Answer;
  const refusal = (await response.json().catch(() => ({}))) as { code?: string; message?: string };
  const message = refusal.message ?? `The service answered with the status ${response.status}.`;
  throw new ServiceRequestError(refusal.code ?? 'err_bad_answer', message);
}
