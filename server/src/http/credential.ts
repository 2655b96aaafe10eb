import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { ApiKeys } from '../auth/api-keys.js';
import { ServiceError } from '../service-error.js';

/** The credential of a request: `Authorization: Bearer X`, or X alone as some customers send it. */
export function credentialOf(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization?.trim();
  return header?.replace(/^bearer\s+/i, '') || undefined;
}

/** Lets only holders of an API key pass, before their body is even read. */
export function requireApiKey(keys: ApiKeys): onRequestHookHandler {
  return (request, _reply, done) => {
    // Throws for who guesses.
    request.tryCredential();
    const credential = credentialOf(request);
    if (credential === undefined || !keys.accepts(credential)) throw new ServiceError('err_unauthenticated');
    request.credentialWasRight();
    done();
  };
}
