import type { FastifyRequest, onRequestHookHandler, onRequestAsyncHookHandler } from 'fastify';
import type { ApiKeys } from '../auth/api-keys.js';
import { ServiceError } from '../service-error.js';
import type { SessionTokens } from '../sessions/ports.js';
import type { Session } from '../sessions/session.js';
import type { SessionService } from '../sessions/session-service.js';
import { decodeSessionId } from '../sessions/session-address.js';

/** The credential of a request: `Authorization: Bearer X`, or X alone as some customers send it. */
export function credentialOf(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization?.trim();
  return header?.replace(/^bearer\s+/i, '') || undefined;
}

/** Lets only holders of an API key pass, before their body is even read. */
export function requireApiKey(keys: ApiKeys): onRequestHookHandler {
  return (request, _reply, done) => {
    const credential = credentialOf(request);
    if (credential !== undefined && keys.accepts(credential)) done();
    else done(new ServiceError('err_unauthenticated'));
  };
}

/**
 * Lets only the holder of the admin token of the session in the address pass, before the body is read. Throws
 * {@link ServiceError}: a session that never was and a wrong token look the same, and an ended session says so to its admin.
 */
export function requireAdmin(sessions: SessionService, tokens: SessionTokens): onRequestAsyncHookHandler {
  return async (request) => {
    const { address = '' } = request.params as { address?: string };
    const id = decodeSessionId(address);
    const status = await sessions.find(id);
    // Derived for unknown sessions too, so that the time of an answer says nothing either.
    const known = tokens.opensAdmin(credentialOf(request) ?? '', id, status?.record.generation ?? 0);
    if (!status || !known) throw new ServiceError('err_unauthenticated');
    if (!sessions.live(id)) throw new ServiceError('err_session_terminated');
  };
}

/** As {@link requireAdmin}, and lets holders of an API key pass too. */
export function requireAdminOrKey(
  sessions: SessionService,
  tokens: SessionTokens,
  keys: ApiKeys,
): onRequestAsyncHookHandler {
  const admin = requireAdmin(sessions, tokens);
  return async function (request, reply) {
    const credential = credentialOf(request);
    if (credential === undefined || !keys.accepts(credential)) return admin.call(this, request, reply);
    const id = decodeSessionId((request.params as { address?: string }).address ?? '');
    if (sessions.live(id)) return;
    throw (await sessions.find(id))
      ? new ServiceError('err_session_terminated')
      : new ServiceError('err_not_found', 'such session');
  };
}

/** The live session that {@link requireAdmin} has let somebody to. */
export function adminSession(sessions: SessionService, address: string): Session {
  const session = sessions.live(decodeSessionId(address));
  if (!session) throw new ServiceError('err_session_terminated');
  return session;
}
