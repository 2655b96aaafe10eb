import type { SessionMethod } from 'cloud-browser/protocol';
import type { FastifyReply } from 'fastify';
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { DialogMethodPath, TabArguments, TabMethodPath, TabResult } from '../schemas/tabs.js';
import {
  adminSession,
  openToPages,
  requireAdmin,
  SESSION_PATH,
  type SessionScopeParts,
} from '../session-scope.js';

/** `POST {session}/tabs.<method>`, `dialogs.<method>`: Chrome's `chrome.tabs`, and what pages ask, for holders of the admin token. */
export function tabRoutes(parts: SessionScopeParts): FastifyPluginCallbackTypebox {
  const { sessions } = parts;
  const route = { onRequest: requireAdmin(parts), config: { body: 'list' } } as const;
  const schema = { tags: ['A session'], body: TabArguments, response: { 200: TabResult } };
  const perform = async (reply: FastifyReply, address: string, method: SessionMethod, args: unknown[]) => {
    const result = await adminSession(sessions, address).forward(method, args);
    // As a text: what is no object is no answer to the framework.
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(result ?? null));
  };
  return (app, _options, done) => {
    openToPages(app);
    app.post(
      `${SESSION_PATH}/tabs.:method`,
      { ...route, schema: { ...schema, summary: 'Call a method of chrome.tabs', params: TabMethodPath } },
      ({ params, body }, reply) => perform(reply, params.address, `tabs.${params.method}`, body),
    );
    app.post(
      `${SESSION_PATH}/dialogs.:method`,
      {
        ...route,
        schema: { ...schema, summary: 'List or answer dialogs of pages', params: DialogMethodPath },
      },
      ({ params, body }, reply) => perform(reply, params.address, `dialogs.${params.method}`, body),
    );
    done();
  };
}
