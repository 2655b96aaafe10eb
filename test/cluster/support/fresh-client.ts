import { request } from 'node:http';

/** Answer to a request. `body` is JSON. */
export interface Answer {
  status: number;
  retryAfter: string | null;
  body: unknown;
}

/** A request of these tests. */
export interface FreshRequest {
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** Timeout of the whole request in milliseconds. */
  limit: number;
}

/**
 * Sends a request over a new connection, so that requests do not depend on the target of an earlier
 * connection.
 */
export function freshClient(url: URL, { method, headers, body, limit }: FreshRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false, signal: AbortSignal.timeout(limit) });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status = 0, headers: answered } = response;
        resolve({ status, retryAfter: answered['retry-after'] ?? null, body: parsed(text) });
      });
    });
    outgoing.end(body);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
