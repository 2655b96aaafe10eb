import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { ApiKeys } from '../../auth/api-keys.js';
import { clientAddress } from '../../platform/network/client-address.js';
import { invalidParameter, ServiceError } from '../../service-error.js';
import type { SessionTokens } from '../../sessions/ports.js';
import type { SessionRecord, SessionStatus } from '../../sessions/records/session-record.js';
import type { SessionService } from '../../sessions/session-service.js';
import type { SessionSecrets } from '../../sessions/settings/session-settings.js';
import { credentialOf, requireApiKey } from '../access/credential.js';
import { leavingOf } from '../access/leaving.js';
import { tellWarnings } from '../answers/warnings-header.js';
import { CreateRequest } from '../../create-fields/create-request.js';
import type { SessionAccess } from '../schemas/session.js';
import {
  ListQuery,
  SessionCreated,
  SessionEnded,
  SessionEnding,
  SessionList,
  SessionPath,
  SessionView,
} from '../schemas/session.js';
import { UsageQuery, UsageView } from '../schemas/usage.js';
import { cdpUrl, embedUrl } from '../../sessions/viewers/session-address.js';

/** Checks the archive of an extension and unpacks it. Throws {@link ServiceError} `err_invalid_extension`. */
export type ReadExtension = (archive: Buffer) => Promise<NonNullable<SessionSecrets['extension']>>;

/** Parts that the routes of sessions need. */
export interface SessionRoutesParts {
  sessions: SessionService;
  tokens: SessionTokens;
  apiKeys: ApiKeys;
  readExtension: ReadExtension;
  /** Number of the operator's reverse proxies in front of this service. */
  proxies: number;
  /** Returns the public address for the viewers of a session, without a trailing slash. */
  publicUrlOf: (sessionId: string) => string;
}

const tags = ['Sessions'];
const start = { tags, summary: 'Start a session', warns: true };
const list = { tags, summary: 'List the running sessions', querystring: ListQuery };
const read = { tags, summary: 'Read a session, also an ended one', params: SessionPath };

const end = {
  ...{ tags, summary: 'End a session', params: SessionPath },
  response: { 200: SessionEnded, 202: SessionEnding },
};
/**
 * If ending a session takes longer than this, the service answers before the session has ended. Many clients
 * and proxies time out after 30 s.
 */
export const END_ANSWER_MS = 25_000;

/** `/v0/vm`: creates, lists, reads and ends sessions, and returns their usage. Needs an API key. */
export function sessionRoutes(parts: SessionRoutesParts): FastifyPluginCallbackTypebox {
  const { sessions, tokens, apiKeys, publicUrlOf } = parts;
  const access = ({ id, generation, settings }: SessionRecord): SessionAccess => {
    const token = settings.auth === 'token' ? tokens.embedToken(id, generation) : null;
    return {
      session_id: id,
      embed_url: embedUrl(publicUrlOf(id), id, token),
      admin_token: tokens.adminToken(id, generation),
      // If the session accepts only issued tokens (`auth` is `tokens`), its own automation token gives no
      // access. So the answer contains no address with this token.
      ...(settings.automation &&
        settings.auth !== 'tokens' && {
          cdp_url: cdpUrl(publicUrlOf(id), id, tokens.automationToken(id, generation)),
        }),
    };
  };
  const view = ({ record, state, viewers, lastInput, standby }: SessionStatus): SessionView => ({
    ...access(record),
    creation_date: record.createdAt,
    termination_date: record.ended?.at ?? null,
    termination_reason: record.ended?.reason ?? null,
    state,
    viewers,
    last_input_date: lastInput,
    standby,
  });
  const find = async (sessionId: string): Promise<SessionStatus> => {
    const status = await sessions.find(sessionId);
    if (!status) throw new ServiceError('err_not_found', 'session with this id');
    return status;
  };

  return (app, _options, done) => {
    app.addHook('onRequest', requireApiKey(apiKeys));

    app.post(
      '/v0/vm',
      {
        config: { body: 'parts' },
        schema: { ...start, body: CreateRequest, response: { 200: SessionCreated } },
      },
      async (request, reply) => {
        const { body } = request;
        const extension = body.extension ? await extensionOf(request, body.extension.field, parts) : null;
        const apiKey = credentialOf(request) ?? '';
        const by = { key: apiKeys.numberOf(apiKey), address: clientAddress(request.raw, parts.proxies) };
        const context = { apiKey, extension, by, leaving: leavingOf(reply) };
        const { record, warnings } = await sessions.create(body, context);
        tellWarnings(reply, warnings);
        return { ...access(record), ...(warnings.length > 0 && { warnings }) };
      },
    );
    app.get('/v0/vm', { schema: { ...list, response: { 200: SessionList } } }, async ({ query }) => {
      const { results, next } = await sessions.list(query.after_id);
      return { results: results.map(row), next };
    });

    app.get(
      '/v0/vm/usage',
      { schema: { tags, summary: 'Usage by month', querystring: UsageQuery, response: { 200: UsageView } } },
      async ({ query }) => ({ usage: await sessions.usage(query.tenant_id) }),
    );

    app.get(
      '/v0/vm/:session_id',
      { schema: { ...read, response: { 200: SessionView } } },
      async ({ params }) => view(await find(params.session_id)),
    );
    app.delete('/v0/vm/:session_id', { schema: end }, async ({ params }, reply) => {
      const { id } = (await find(params.session_id)).record;
      if (await sessions.endWithin(id, 'request', END_ANSWER_MS)) return { session_id: id };
      return reply.code(202).send({ session_id: id, state: 'ending' });
    });
    done();
  };
}

function row({ record, state, viewers, standby }: SessionStatus): SessionList['results'][number] {
  const { id, createdAt, settings } = record;
  const { tag, tenantId } = settings;
  return { id, creation_date: createdAt, state, viewers, standby, tag, tenant_id: tenantId };
}

async function extensionOf(request: FastifyRequest, field: string, { readExtension }: SessionRoutesParts) {
  const archive = request.parts?.get(field);
  if (!archive) {
    throw invalidParameter(
      'extension.field',
      'the name of another part of a multipart body, one that holds the zip or crx archive',
    );
  }
  return readExtension(archive);
}
