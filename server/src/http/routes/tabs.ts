import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { SessionTokens } from '../../sessions/ports.js';
import type { SessionService } from '../../sessions/session-service.js';
import { CORS } from '../cors.js';
import { adminSession, requireAdmin } from '../credential.js';
import { onlyMethods } from '../only-methods.js';
import { TabArguments, TabMethodPath, TabResult } from '../schemas/tabs.js';
import { ADDRESS_PATTERN } from '../../sessions/session-address.js';

const PATH = `/:address(^${ADDRESS_PATTERN}$)/tabs.:method`;

/** `POST {session}/tabs.<method>`: Chrome's `chrome.tabs` for the holder of the session's admin token. */
export function tabRoutes({
  sessions,
  tokens,
}: {
  sessions: SessionService;
  tokens: SessionTokens;
}): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    app.addHook('onRequest', (_request, reply, next) => {
      reply.headers(CORS);
      next();
    });
    app.options(PATH, { schema: { hide: true } }, async (_request, reply) => reply.code(204).send());
    app.post(
      PATH,
      {
        onRequest: requireAdmin(sessions, tokens),
        config: { body: 'list' },
        schema: {
          tags: ['A session'],
          summary: 'Call a method of chrome.tabs',
          params: TabMethodPath,
          body: TabArguments,
          response: { 200: TabResult },
        },
      },
      async ({ params, body }, reply) => {
        const result = await adminSession(sessions, params.address).forward(`tabs.${params.method}`, body);
        // As a text: what is no object is no answer to the framework.
        return reply.type('application/json; charset=utf-8').send(JSON.stringify(result ?? null));
      },
    );
    onlyMethods(app, PATH, ['POST', 'OPTIONS']);
    done();
  };
}
