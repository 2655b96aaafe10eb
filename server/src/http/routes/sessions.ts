import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { ApiKeys } from '../../auth/api-keys.js';
import { ServiceError } from '../../service-error.js';
import type { SessionTokens } from '../../sessions/ports.js';
import type { SessionRecord, SessionStatus } from '../../sessions/session-record.js';
import type { SessionService } from '../../sessions/session-service.js';
import { requireApiKey } from '../credential.js';
import { onlyMethods } from '../only-methods.js';
import {
  CreateSessionBody,
  SessionAccess,
  SessionEnded,
  SessionPath,
  SessionView,
} from '../schemas/session.js';
import { embedUrl } from '../session-address.js';

/** What the routes of sessions need. */
export interface SessionRoutesParts {
  sessions: SessionService;
  tokens: SessionTokens;
  apiKeys: ApiKeys;
  /** Where viewers reach this service, without a trailing slash. */
  publicUrl: () => string;
}

/** `/v0/vm`: creating, reading and ending sessions, for holders of an API key. */
export function sessionRoutes({
  sessions,
  tokens,
  apiKeys,
  publicUrl,
}: SessionRoutesParts): FastifyPluginCallbackTypebox {
  const access = ({ id, generation }: SessionRecord): SessionAccess => ({
    session_id: id,
    embed_url: embedUrl(publicUrl(), id, tokens.embedToken(id, generation)),
    admin_token: tokens.adminToken(id, generation),
  });
  const view = ({ record, state, viewers, lastInput }: SessionStatus): SessionView => ({
    ...access(record),
    creation_date: record.createdAt,
    termination_date: record.ended?.at ?? null,
    termination_reason: record.ended?.reason ?? null,
    state,
    viewers,
    last_input_date: lastInput,
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
      { schema: { body: CreateSessionBody, response: { 200: SessionAccess } } },
      async ({ body }) => {
        const { start_url: startUrl, hide_cursor: hideCursor, width, height, fps, kiosk } = body;
        const { record } = await sessions.create({ startUrl, width, height, fps, kiosk, hideCursor });
        return access(record);
      },
    );
    onlyMethods(app, '/v0/vm', ['POST']);

    app.get(
      '/v0/vm/:session_id',
      { schema: { params: SessionPath, response: { 200: SessionView } } },
      async ({ params }) => view(await find(params.session_id)),
    );
    app.delete(
      '/v0/vm/:session_id',
      { schema: { params: SessionPath, response: { 200: SessionEnded } } },
      async ({ params }) => {
        const { record } = await find(params.session_id);
        await sessions.end(record.id, 'request');
        return { session_id: record.id };
      },
    );
    onlyMethods(app, '/v0/vm/:session_id', ['GET', 'DELETE']);
    done();
  };
}
