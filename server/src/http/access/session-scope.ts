import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { ApiKeys } from '../../auth/api-keys.js';
import { ServiceError } from '../../service-error.js';
import type { Session } from '../../sessions/session.js';
import type { SessionAccess } from '../../sessions/tokens/session-access.js';
import type { TokenScope } from '../../host-protocol.js';
import type { Grant } from '../../sessions/tokens/grant.js';
import { ADDRESS_PATTERN, decodeSessionId } from '../../sessions/viewers/session-address.js';
import type { RequestRates } from '../../sessions/viewers/request-rates.js';
import type { SessionService } from '../../sessions/session-service.js';
import { credentialOf } from './credential.js';
import { WARNINGS_HEADER } from '../answers/warnings-header.js';

/** Parts that routes below a session's own address need. */
export interface SessionScopeParts {
  sessions: SessionService;
  access: SessionAccess;
  /** Limits how often clients send requests. */
  requestRates: RequestRates;
}

/** The path of a session's own address, in Fastify's route syntax. */
export const SESSION_PATH = `/:address(^${ADDRESS_PATTERN}$)`;

/** True if a route is at a session's own address or below. */
export function isSessionPath(url: string): boolean {
  return url.startsWith(SESSION_PATH);
}

/**
 * Value of `security` in the description of routes that accept a token of the session or an API key, see
 * {@link orKey}.
 */
export const ADMIN_OR_KEY = [{ adminToken: [] }, { apiKey: [] }] as const;

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  'access-control-expose-headers': `${WARNINGS_HEADER}, retry-after`,
  'access-control-max-age': '86400',
};

/**
 * Allows pages of any origin to call the routes of `app`. The pages authenticate with a token. All answers
 * have CORS headers, including errors and assets. Assets need these headers because a sandboxed iframe has an
 * origin of its own. So even its requests for the modules of its own page are cross-origin requests.
 *
 * @param changes headers that differ from the headers of session routes
 */
export function openToPages(app: FastifyInstance, changes: Partial<typeof CORS> = {}): void {
  const headers = { ...CORS, ...changes };
  opened.add(app);
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

const opened = new WeakSet<FastifyInstance>();

/** Returns true if pages of any origin may call the routes of `app`, see {@link openToPages}. */
export function isOpenToPages(app: FastifyInstance): boolean {
  return opened.has(app);
}

/** Grants of the accepted requests. A request with an API key has no grant. */
const grants = new WeakMap<FastifyRequest, Grant>();

/** Returns the rights of an accepted request. Undefined if it was accepted with an API key. */
export function grantOf(request: FastifyRequest): Grant | undefined {
  return grants.get(request);
}

/**
 * Returns a hook for routes below a session's own address. The hook accepts only requests with a token of
 * this session that has one of these scopes. The hook runs before the body is read. It throws
 * {@link ServiceError}. The error is the same for an unknown session and a wrong token. A client with a valid
 * token of an ended session gets the error that the session has ended.
 */
export function requireScope(
  { sessions, access }: SessionScopeParts,
  scopes: ReadonlySet<TokenScope>,
): onRequestAsyncHookHandler {
  return async (request) => {
    request.tryCredential();
    const id = sessionIdOf(request);
    const { grant } = await access.check(id, credentialOf(request));
    if (!grant) throw new ServiceError('err_unauthenticated');
    if (!scopes.has(grant.scope)) {
      // This is the token in the session's embed URL. It only admits viewers, so here it counts as a wrong
      // credential.
      if (grant.tokenId === undefined && grant.scope === 'control')
        throw new ServiceError('err_unauthenticated');
      request.credentialWasRight();
      throw new ServiceError('err_token_scope', grant.scope, [...scopes].join(' or '));
    }
    request.credentialWasRight();
    if (!sessions.live(id)) throw new ServiceError('err_session_terminated');
    grants.set(request, grant);
  };
}

/**
 * Refuses requests whose token expired or was revoked while their body arrived. A body may take half a minute
 * to arrive.
 */
export function checkTokensAgain(app: FastifyInstance, sessions: SessionService): void {
  app.addHook('preHandler', (request, _reply, done) => {
    const session =
      grants.get(request)?.tokenId === undefined ? undefined : sessions.live(sessionIdOf(request));
    const hasEnded = session && !session.tokens.find(credentialOf(request) ?? '');
    done(hasEnded ? new ServiceError('err_unauthenticated') : undefined);
  });
}

const ADMIN: ReadonlySet<TokenScope> = new Set(['admin']);

/** Same as {@link requireScope} with the scope `admin`. The hook also limits the rate of requests. */
export function requireAdmin(parts: SessionScopeParts): onRequestAsyncHookHandler {
  return limited(requireScope(parts, ADMIN), parts);
}

/** Same as {@link requireAdmin}, but the hook also accepts an API key. */
export function requireAdminOrKey(parts: SessionScopeParts, keys: ApiKeys): onRequestAsyncHookHandler {
  return limited(orKey(requireScope(parts, ADMIN), parts, keys), parts);
}

/** Returns a hook that accepts the requests that `hook` accepts, up to a rate. */
function limited(
  hook: onRequestAsyncHookHandler,
  { requestRates }: SessionScopeParts,
): onRequestAsyncHookHandler {
  return async function (request, reply) {
    await hook.call(this, request, reply);
    const refusal = requestRates.manages(sessionIdOf(request), grantOf(request));
    if (refusal) throw refusal;
  };
}

/** Returns a hook that accepts all requests that `hook` accepts, and requests with an API key. */
export function orKey(
  hook: onRequestAsyncHookHandler,
  { sessions }: SessionScopeParts,
  keys: ApiKeys,
): onRequestAsyncHookHandler {
  return async function (request, reply) {
    request.tryCredential();
    const credential = credentialOf(request);
    if (credential === undefined || !keys.accepts(credential)) return hook.call(this, request, reply);
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
 * if the session has ended meanwhile.
 */
export function adminSession(sessions: SessionService, address: string): Session {
  const session = sessions.live(decodeSessionId(address));
  if (!session) throw new ServiceError('err_session_terminated');
  return session;
}

/** Returns the id of the session in the address of a request. */
export function sessionIdOf({ params }: FastifyRequest): string {
  return decodeSessionId((params as { address?: string }).address ?? '');
}
