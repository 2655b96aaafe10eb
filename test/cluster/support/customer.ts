import { setTimeout } from 'node:timers/promises';
import type { Answer } from './fresh-client.js';
import { ask as askOnce, type Access } from './nodes.js';

/** How often a request is tried. */
const MAX_TRIES = 10;

/** Asks as a customer does: where the service says when to try again, as a busy machine makes it do, that is done. */
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
