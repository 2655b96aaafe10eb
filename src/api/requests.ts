import { ApiError } from './errors.js';
import { runtime, type Fetch, type FetchInit, type FetchResponse } from './fetch.js';

/** A request to the service. */
interface ApiRequest {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  credential: string;
  body?: unknown;
  contentType?: string | undefined;
}

/** Sends requests to the service. */
export class ApiRequests {
  /** @param timeLimit timeout of one request in milliseconds */
  constructor(
    private readonly fetch: Fetch | undefined,
    private readonly timeLimit: number,
  ) {}

  /**
   * Returns functions that send requests to paths below `base`, with one credential. They reject with an
   * {@link ApiError} if a request fails, and with a TypeError if this runtime or its `fetch` lacks a needed
   * function, or if a body cannot become JSON.
   */
  at(base: string, credential: string) {
    const send = <T>(path: string, body: unknown, contentType: string | undefined) =>
      this.#json<T>({ method: 'POST', url: base + path, credential, body, contentType });
    return {
      get: <T>(path: string) => this.#json<T>({ method: 'GET', url: base + path, credential }),
      delete: <T>(path: string) => this.#json<T>({ method: 'DELETE', url: base + path, credential }),
      /** Sends JSON. */
      post: async <T>(path: string, body: unknown = {}) =>
        send<T>(path, JSON.stringify(body), 'application/json'),
      /**
       * Sends a body that is not JSON. If `contentType` is undefined, `fetch` derives the type from the body.
       */
      send,
      bytes: (path: string) => this.#bytes(base + path, credential),
    };
  }

  /** Resolves to the JSON of the response, without a check of its form. */
  #json<T>(request: ApiRequest): Promise<T> {
    return this.#send(request, async (response) => {
      const text = await response.text();
      try {
        return JSON.parse(text) as T;
      } catch (cause) {
        throw foreignAnswer(response.status, undefined, { cause });
      }
    });
  }

  /** Resolves to the bytes of the response. */
  async #bytes(url: string, credential: string): Promise<Uint8Array> {
    const bytes = await this.#send({ method: 'GET', url, credential }, (response) =>
      Promise.resolve(response.arrayBuffer?.()),
    );
    if (!bytes) throw new TypeError('The responses of the given fetch function have no arrayBuffer().');
    return new Uint8Array(bytes);
  }

  async #send<T>(
    { method, url, credential, body, contentType }: ApiRequest,
    read: (response: FetchResponse) => Promise<T>,
  ): Promise<T> {
    const { fetch: standard, AbortSignal } = runtime();
    const fetch = this.fetch ?? standard;
    if (!fetch) throw new TypeError('This runtime has no fetch. Pass a fetch function to the constructor.');
    const headers: Record<string, string> = { authorization: `Bearer ${credential}` };
    if (contentType !== undefined) headers['content-type'] = contentType;
    const init: FetchInit = { method, headers };
    if (body !== undefined) init.body = body;
    if (AbortSignal) init.signal = AbortSignal.timeout(this.timeLimit);
    try {
      const response = await fetch(url, init);
      if (response.ok) return await read(response);
      const retryAfter = Number(response.headers.get('retry-after')) || undefined;
      throw refusal(response.status, await response.text(), retryAfter);
    } catch (cause) {
      if (cause instanceof ApiError) throw cause;
      throw new ApiError('err_unreachable', unsentReason(url, credential), 0, undefined, { cause });
    }
  }
}

/** Functions that send requests to paths below one address, see {@link ApiRequests.at}. */
export type RequestsAt = ReturnType<ApiRequests['at']>;

/** Returns the value percent-encoded for a URL. A lone surrogate cannot be encoded, so it becomes U+FFFD. */
export function encoded(value: string | number | boolean): string {
  return encodeURIComponent(String(value).replace(/\p{Surrogate}/gu, '\ufffd'));
}

/** Returns a URL query with the defined parameters, or an empty string if there are none. */
export function query(parameters: Record<string, string | number | boolean | undefined>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encoded(value)}`],
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Returns a sentence with the reason why a request has no response. */
function unsentReason(url: string, credential: string): string {
  if (!/^https?:\/\//i.test(url))
    return `The address "${url.replace(/\?.*$/, '')}" does not start with "https://" or "http://".`;
  if (/[^\t\x20-\x7e\x80-\xff]/.test(credential))
    return 'The API key or token contains a character that a header cannot have, such as a line break.';
  return 'The service cannot be reached, or did not answer.';
}

function refusal(status: number, text: string, retryAfter: number | undefined): ApiError {
  let told: Partial<Record<'code' | 'message', unknown>> | null = {};
  try {
    told = JSON.parse(text) as Partial<Record<'code' | 'message', unknown>> | null;
  } catch {
    // The answer comes from another program, for example a proxy in front of the service.
  }
  const { code, message } = told ?? {};
  // Some proxies also answer with `code` and `message`. All codes of the service start with `err_`.
  if (typeof code === 'string' && code.startsWith('err_') && typeof message === 'string')
    return new ApiError(code, message, status, retryAfter);
  return foreignAnswer(status, retryAfter);
}

/** Returns the error for an answer that does not come from the service. */
function foreignAnswer(
  status: number,
  retryAfter: number | undefined,
  options: { cause?: unknown } = {},
): ApiError {
  return new ApiError(
    'err_unreachable',
    `The answer has the status ${status} and does not come from the service. Check the proxy in front of it.`,
    status,
    retryAfter,
    options,
  );
}
