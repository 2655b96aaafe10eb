import assert from 'node:assert/strict';
import type { Session } from './service.js';

/**
 * Sends a request below a session's base URL, with its admin token; resolves to the answer, rejects on an
 * error status.
 */
export async function askSession(
  { embed_url, admin_token }: Pick<Session, 'embed_url' | 'admin_token'>,
  method: 'DELETE' | 'POST',
  path: string,
  body?: object | string,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const [base = ''] = embed_url.split('?');
  const response = await fetch(`${base}/${path}`, {
    method,
    headers: { authorization: `Bearer ${admin_token}`, ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text) as unknown;
}
