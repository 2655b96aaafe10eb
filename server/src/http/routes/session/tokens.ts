import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { ApiKeys } from '../../../auth/api-keys.js';
import type { Warnings } from '../../../create-fields/warnings.js';
import { ServiceError } from '../../../service-error.js';
import type { TokenRecord } from '../../../sessions/tokens/token-record.js';
import { tokenOrderOf } from '../../../sessions/tokens/token-order.js';
import { cdpUrl, embedUrl } from '../../../sessions/viewers/session-address.js';
import { AddressPath } from '../../schemas/session/session-control.js';
import {
  TOKEN_TTL,
  TokenBody,
  TokenIssued,
  TokenList,
  TokenPath,
  TokenRevoked,
} from '../../schemas/session/tokens.js';
import {
  ADMIN_OR_KEY,
  adminSession,
  grantOf,
  openToPages,
  requireAdminOrKey,
  SESSION_PATH,
  type SessionScopeParts,
} from '../../access/session-scope.js';
import { tellWarnings } from '../../answers/warnings-header.js';

/** Parts that the routes of tokens need. */
export interface TokenRoutesParts extends SessionScopeParts {
  apiKeys: ApiKeys;
  /** Returns the public address for the viewers of a session, without a trailing slash. */
  publicUrlOf: (sessionId: string) => string;
}

const base = { tags: ['A session'], security: ADMIN_OR_KEY, params: AddressPath };
const schemas = {
  issue: { ...base, summary: 'Issue a token', body: TokenBody, response: { 200: TokenIssued }, warns: true },
  list: { ...base, summary: 'List the valid tokens', response: { 200: TokenList } },
  revoke: { ...base, summary: 'Revoke a token', params: TokenPath, response: { 200: TokenRevoked } },
};

/** Routes for the tokens of one session. They need its admin token or an API key. */
export function tokenRoutes(parts: TokenRoutesParts): FastifyPluginCallbackTypebox {
  const { sessions, publicUrlOf } = parts;
  const onRequest = requireAdminOrKey(parts, parts.apiKeys);

  return (app, _options, done) => {
    openToPages(app);
    app.post(`${SESSION_PATH}/tokens`, { onRequest, schema: schemas.issue }, async (request, reply) => {
      const { params, body } = request;
      const session = adminSession(sessions, params.address);
      const warnings: Warnings = [];
      const wanted = { ...body, ttl: body.ttl ?? TOKEN_TTL.standard };
      const order = tokenOrderOf(wanted, grantOf(request), warnings);
      if (order.scope === 'automation' && !session.hasAutomation) throw new ServiceError('err_no_automation');
      const { record, secret } = await sessions.tokens.issue(session, order);
      tellWarnings(reply, warnings);
      const { id, scope, expires } = record;
      const views = scope === 'view' || scope === 'control';
      return {
        ...{ token_id: id, scope, token: secret, expires },
        ...(scope === 'automation' && { cdp_url: cdpUrl(publicUrlOf(session.id), session.id, secret) }),
        ...(views && { url: embedUrl(publicUrlOf(session.id), session.id, secret) }),
      };
    });

    app.get(`${SESSION_PATH}/tokens`, { onRequest, schema: schemas.list }, ({ params }) => ({
      tokens: adminSession(sessions, params.address).tokens.records.map(view),
    }));

    app.delete(`${SESSION_PATH}/tokens/:token_id`, { onRequest, schema: schemas.revoke }, ({ params }) => {
      sessions.tokens.revoke(adminSession(sessions, params.address), params.token_id);
      return { token_id: params.token_id };
    });
    done();
  };
}

/** Returns a token without its secret and its hash. */
function view({ id, scope, roles, userId, name, createdAt, expires }: TokenRecord) {
  return {
    ...{ token_id: id, scope, created: createdAt, expires },
    ...(roles && { roles: [...roles] }),
    ...(userId !== undefined && { user_id: userId }),
    ...(name !== undefined && { name }),
  };
}
