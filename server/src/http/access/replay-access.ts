import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { ApiKeys } from '../../auth/api-keys.js';
import { clientAddress } from '../../platform/network/client-address.js';
import { ServiceError } from '../../service-error.js';
import type { Recordings } from '../../sessions/recordings/recordings.js';
import type { RequestRates } from '../../sessions/viewers/request-rates.js';
import { credentialOf } from './credential.js';

/** Parts that the check of requests for recordings needs. */
export interface ReplayAccessParts {
  apiKeys: ApiKeys;
  recordings: Pick<Recordings, 'tokens'>;
  /** Limits how often clients read a recording. */
  requestRates: RequestRates;
  /** Number of the operator's reverse proxies in front of this service. */
  proxies: number;
}

/**
 * Returns the token in the address of a request. `<video src>` and HLS players cannot send headers, so their
 * requests contain the token in the address.
 */
export function addressTokenOf({ query }: FastifyRequest): string | undefined {
  const { token } = query as { token?: unknown };
  return typeof token === 'string' && token !== '' ? token : undefined;
}

/**
 * Returns a hook that accepts only requests with an API key, or with a token of the requested recording. The
 * key or the token is in the header. A token may also be in the query of the address. The error is the same
 * for an unknown recording and a wrong token. The hook also limits the rate of requests.
 */
export function requireReplay(parts: ReplayAccessParts): onRequestAsyncHookHandler {
  const { apiKeys, recordings, requestRates, proxies } = parts;
  return async (request) => {
    const header = credentialOf(request);
    const credential = header ?? addressTokenOf(request);
    request.tryCredential(credential);
    const { id } = request.params as { id: string };
    const accepted =
      (header !== undefined && apiKeys.accepts(header)) ||
      (credential !== undefined && (await recordings.tokens.accepts(id, credential)));
    if (!accepted) throw new ServiceError('err_unauthenticated');
    request.credentialWasRight(credential);
    const refusal = requestRates.reads(id, clientAddress(request.raw, proxies));
    if (refusal) throw refusal;
  };
}
