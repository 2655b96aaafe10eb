import { setTimeout } from 'node:timers/promises';
import type { Answer } from './fresh-client.js';
import { ask as askOnce, type Access } from './nodes.js';

/** Maximal number of tries of a request. */
const MAX_TRIES = 10;

/**
 * Sends a request as a customer does. If the service answers with a retry time, as on a busy machine, it
 * retries then.
 */
export async function ask(...request: Parameters<typeof askOnce>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await askOnce(...request);
    if (answer.status !== 503 || answer.retryAfter === null || tries === MAX_TRIES) return answer;
    await setTimeout(Number(answer.retryAfter) * 1_000);
  }
}

/** Creates a session, which must succeed. */
export async function create(base: string, body: unknown = {}): Promise<Access> {
  const answer = await ask(base, 'POST', '/v0/vm', { body });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer));
  return answer.body as Access;
}
