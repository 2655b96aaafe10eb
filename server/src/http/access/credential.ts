import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { ApiKeys } from '../../auth/api-keys.js';
import { ServiceError } from '../../service-error.js';

/**
 * Returns the credential in the header `Authorization` of a request. The header contains `Bearer X`, or only
 * `X`, as some customers send it.
 */
export function credentialOf(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization?.trim();
  return header?.replace(/^bearer\s+/i, '') || undefined;
}

/**
 * Returns a hook that accepts only requests with one of these keys. The hook runs before the body is read.
 */
export function requireApiKey(keys: ApiKeys): onRequestHookHandler {
  return (request, _reply, done) => {
    // Throws if the client has sent too many wrong credentials.
    request.tryCredential();
    const credential = credentialOf(request);
    if (credential === undefined || !keys.accepts(credential)) throw new ServiceError('err_unauthenticated');
    request.credentialWasRight();
    done();
  };
}
