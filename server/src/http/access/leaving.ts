import type { FastifyReply } from 'fastify';

/**
 * Returns a signal that is aborted when the client of a request has closed its connection, and also after the
 * answer.
 */
export function leavingOf({ raw: response }: FastifyReply): AbortSignal {
  const leaving = new AbortController();
  // A destroyed response has already emitted its event.
  if (response.destroyed) leaving.abort();
  response.once('close', () => leaving.abort());
  return leaving.signal;
}
