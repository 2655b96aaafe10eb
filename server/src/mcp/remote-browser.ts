import { readWithin, type McpFile } from './file-results.js';
import type { HumanAnswer, McpBrowser } from './mcp-browser.js';

/** Address and credential of a session. */
export interface RemoteSession {
  /** Address of the session, without a query. */
  url: string;
  /** A token of the scope `automation` or `admin`, for example the admin token of the session. */
  token: string;
}

/** Timeout of one call in milliseconds. A call may wait for minutes while a person has control. */
const CALL_TIMEOUT_MS = 680_000;
/** Timeout of the transfer of one file in milliseconds. A file has at most 1 MB. */
const FILE_TIMEOUT_MS = 60_000;
/** Longest wait for a person in one request, in seconds. The service refuses a longer wait. */
const WAIT_SECONDS = 25;

/** Returns the browser of a session. All calls go through the HTTP API of the service. */
export function remoteBrowser({ url, token }: RemoteSession): McpBrowser {
  const ask = <Answer>(path: string, body?: object, method?: string) =>
    askService<Answer>(`${url}/${path}`, token, body, method);
  const humanAnswer = async (id: string, seconds: number): Promise<HumanAnswer> => {
    const wait = Math.min(seconds, WAIT_SECONDS);
    const answer = await ask<HumanAnswer>(`handoffs/${encodeURIComponent(id)}?wait=${wait}`);
    return answer.outcome !== null || seconds <= wait ? answer : humanAnswer(id, seconds - wait);
  };
  return {
    call: (method, options) => ask(`computer/${method}`, options),
    readDownload: (id) => readDownload(`${url}/downloads/${encodeURIComponent(id)}`, token),
    uploadFile: async (name, bytes) => {
      const address = `${url}/uploads?name=${encodeURIComponent(name)}`;
      const signal = AbortSignal.timeout(FILE_TIMEOUT_MS);
      const response = await request(address, token, { method: 'POST', signal, body: Buffer.from(bytes) });
      return readJson<{ id: string }>(response, url);
    },
    requestHuman: (instructions, timeout) => ask('handoffs', { instructions, timeout }),
    humanAnswer,
    withdrawHuman: (id) => ask(`handoffs/${encodeURIComponent(id)}`, undefined, 'DELETE'),
  };
}

/** Error for a request that a service refused or did not answer. The message is for a person or a model. */
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
 * Sends a request to a service. Does not check the form of the answer. Rejects with {@link
 * ServiceRequestError}, also if `ended` is aborted before the answer comes.
 */
export async function askService<Answer>(
  url: string,
  token: string,
  body?: object,
  method = body ? 'POST' : 'GET',
  ended?: AbortSignal,
): Promise<Answer> {
  const timeout = AbortSignal.timeout(CALL_TIMEOUT_MS);
  const response = await request(url, token, {
    method,
    signal: ended ? AbortSignal.any([timeout, ended]) : timeout,
    ...(body && { body: JSON.stringify(body) }),
  });
  return readJson<Answer>(response, url);
}

/** Reads an answer. Does not check its form. Rejects with {@link ServiceRequestError}. */
async function readJson<Answer>(response: Response, url: string): Promise<Answer> {
  try {
    return (await response.json()) as Answer;
  } catch (cause) {
    const { origin } = new URL(url);
    const message =
      cause instanceof SyntaxError
        ? `${origin} did not answer like the service. Check CLOUD_BROWSER_URL.`
        : `The connection to the service at ${origin} ended before the whole answer came.`;
    throw new ServiceRequestError('err_bad_answer', message, { cause });
  }
}

async function readDownload(url: string, token: string): Promise<McpFile> {
  const response = await request(url, token, { method: 'GET', signal: AbortSignal.timeout(FILE_TIMEOUT_MS) });
  const { headers, body } = response;
  const [, name = ''] = /filename\*=UTF-8''(\S+)/.exec(headers.get('content-disposition') ?? '') ?? [];
  const length = headers.get('content-length');
  if (!body) throw new ServiceRequestError('err_bad_answer', 'The service answered without the file.');
  try {
    const bytes = await readWithin(body, length === null ? NaN : Number(length));
    return { name: decodeURIComponent(name), bytes };
  } finally {
    await body.cancel().catch(() => undefined);
  }
}

/** Resolves to a response with the status 200. Rejects with {@link ServiceRequestError}. */
async function request(url: string, token: string, options: RequestInit): Promise<Response> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(url, { ...options, headers }).catch((cause: unknown) => {
    const message = `The service at ${new URL(url).origin} does not answer. Check CLOUD_BROWSER_URL.`;
    throw new ServiceRequestError('err_unreachable', message, { cause });
  });
  if (response.ok) return response;
  const refusal = (await response.json().catch(() => ({}))) as { code?: string; message?: string };
  // The service tells its clients to send a header, but the user of this command sets a variable.
  const message =
    response.status === 401
      ? 'The service does not accept the credential: it is wrong or expired, or was revoked. Check CLOUD_BROWSER_TOKEN or, if it is not set, CLOUD_BROWSER_API_KEY.'
      : (refusal.message ?? `The service answered with the status ${response.status}.`);
  throw new ServiceRequestError(refusal.code ?? 'err_bad_answer', message);
}
