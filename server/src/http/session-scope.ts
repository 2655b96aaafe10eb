import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { ApiKeys } from '../auth/api-keys.js';
import { ServiceError } from '../service-error.js';
import type { SessionTokens } from '../sessions/ports.js';
import type { Session } from '../sessions/session.js';
import { ADDRESS_PATTERN, decodeSessionId } from '../sessions/viewers/session-address.js';
import type { SessionService } from '../sessions/session-service.js';
import { credentialOf } from './credential.js';
import { WARNINGS_HEADER } from './warnings-header.js';

/** Parts that routes below a session's own address need. */
export interface SessionScopeParts {
  sessions: SessionService;
  tokens: SessionTokens;
}

/** A session's own address, in Fastify's form. */
export const SESSION_PATH = `/:address(^${ADDRESS_PATTERN}$)`;

/** True if a route is at a session's own address or below. */
export function isSessionPath(url: string): boolean {
  return url.startsWith(SESSION_PATH);
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  'access-control-expose-headers': WARNINGS_HEADER,
  'access-control-max-age': '86400',
};

/**
 * Allows pages of any origin to call a scope's routes. They call sessions with a token as credential. All
 * answers have these headers, including errors and assets. A sandboxed iframe has its own origin and loads
 * modules across origins.
 */
export function openToPages(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(CORS);
    done();
  });
}

/**
 * Accepts only requests with the admin token of the session in the address. Runs before the body is read.
 * Throws {@link ServiceError}. The error is the same for an unknown session and a wrong token. An admin of an
 * ended session gets the error that the session has ended.
 */
export function requireAdmin({ sessions, tokens }: SessionScopeParts): onRequestAsyncHookHandler {
  return async (request) => {
    request.tryCredential();
    const id = sessionIdOf(request);
    const status = await sessions.find(id);
    // The token is also derived for unknown sessions, so that the response time reveals nothing.
    const known = tokens.opensAdmin(credentialOf(request) ?? '', id, status?.record.generation ?? 0);
    if (!status || !known) throw new ServiceError('err_unauthenticated');
    request.credentialWasRight();
    if (!sessions.live(id)) throw new ServiceError('err_session_terminated');
  };
}

/** As {@link requireAdmin}, but also accepts an API key. */
export function requireAdminOrKey(parts: SessionScopeParts, keys: ApiKeys): onRequestAsyncHookHandler {
  const { sessions } = parts;
  const admin = requireAdmin(parts);
  return async function (request, reply) {
    request.tryCredential();
    const credential = credentialOf(request);
    if (credential === undefined || !keys.accepts(credential)) return admin.call(this, request, reply);
    request.credentialWasRight();
    const id = sessionIdOf(request);
    if (sessions.live(id)) return;
    throw (await sessions.find(id))
      ? new ServiceError('err_session_terminated')
      : new ServiceError('err_not_found', 'such session');
  };
}

/**
 * Returns the live session of a request that {@link requireAdmin} has accepted. Throws {@link ServiceError}
 * if it has ended since.
 */
export function adminSession(sessions: SessionService, address: string): Session {
  const session = sessions.live(decodeSessionId(address));
  if (!session) throw new ServiceError('err_session_terminated');
  return session;
}

function sessionIdOf({ params }: FastifyRequest): string {
  return decodeSessionId((params as { address?: string }).address ?? '');
}
