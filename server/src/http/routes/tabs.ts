import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { TabArguments, TabMethodPath, TabResult } from '../schemas/tabs.js';
import {
  adminSession,
  openToPages,
  requireAdmin,
  SESSION_PATH,
  type SessionScopeParts,
} from '../session-scope.js';

/** `POST {session}/tabs.<method>`: Chrome's `chrome.tabs` for the holder of the session's admin token. */
export function tabRoutes(parts: SessionScopeParts): FastifyPluginCallbackTypebox {
  const { sessions } = parts;
  return (app, _options, done) => {
    openToPages(app);
    app.post(
      `${SESSION_PATH}/tabs.:method`,
      {
        onRequest: requireAdmin(parts),
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
    done();
  };
}
