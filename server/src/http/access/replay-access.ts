import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { ApiKeys } from '../../auth/api-keys.js';
import { ServiceError } from '../../service-error.js';
import type { ReplayTokens } from '../../sessions/recordings/replay-tokens.js';
import { credentialOf } from './credential.js';

/**
 * Returns the token in the address of a request. It is there because `<video src>` and HLS players cannot
 * send headers.
 */
export function addressTokenOf({ query }: FastifyRequest): string | undefined {
  const { token } = query as { token?: unknown };
  return typeof token === 'string' && token !== '' ? token : undefined;
}

/**
 * Returns a hook that accepts only requests with an API key, or with a token of the requested recording. The
 * key or the token is in the header. A token may also be in the query of the address. The error is the same
 * for an unknown recording and a wrong token.
 */
export function requireReplay(keys: ApiKeys, tokens: ReplayTokens): onRequestAsyncHookHandler {
  return async (request) => {
    const header = credentialOf(request);
    const credential = header ?? addressTokenOf(request);
    request.tryCredential(credential);
    const { id } = request.params as { id: string };
    const accepted =
      (header !== undefined && keys.accepts(header)) ||
      (credential !== undefined && (await tokens.accepts(id, credential)));
    if (!accepted) throw new ServiceError('err_unauthenticated');
    request.credentialWasRight(credential);
  };
}
