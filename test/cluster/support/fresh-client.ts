import { request } from 'node:http';

/** What came back for a request. `body` is JSON. */
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
  /** Milliseconds for all of it. */
  limit: number;
}

/** Asks over a connection of its own, so that what is asked next does not depend on whom the last connection went to. */
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
