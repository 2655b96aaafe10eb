import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { Bookmark } from '../../host-protocol.js';
import type { SessionTokens } from '../../sessions/ports.js';
import type { SessionService } from '../../sessions/session-service.js';
import { parseBookmarkFile } from '../bodies/bookmark-file.js';
import { CORS } from '../cors.js';
import { adminSession, requireAdmin } from '../credential.js';
import { onlyMethods } from '../only-methods.js';
import { ADDRESS_PATTERN } from '../../sessions/session-address.js';
import {
  AddressPath,
  BookmarkFile,
  BookmarksAdded,
  NoParameters,
  Ok,
  TimeoutUpdateBody,
  TimeoutView,
} from '../schemas/session-control.js';

/** What the routes under a session's own address need. */
export interface SessionControlParts {
  sessions: SessionService;
  tokens: SessionTokens;
}

const tags = ['A session'];

/** Control of one running session, for the holder of its admin token. */
export function sessionControlRoutes({
  sessions,
  tokens,
}: SessionControlParts): FastifyPluginCallbackTypebox {
  const at = (path: string) => `/:address(^${ADDRESS_PATTERN}$)/${path}`;
  const onRequest = requireAdmin(sessions, tokens);

  return (app, _options, done) => {
    app.addHook('onRequest', (_request, reply, next) => {
      reply.headers(CORS);
      next();
    });
    for (const path of ['timeout', 'ping', 'bookmarks', 'ok']) {
      app.options(at(path), { schema: { hide: true } }, async (_request, reply) => reply.code(204).send());
    }

    app.post(
      at('timeout'),
      {
        onRequest,
        schema: {
          tags,
          summary: 'Change when the session ends by itself',
          params: AddressPath,
          body: TimeoutUpdateBody,
          response: { 200: TimeoutView },
        },
      },
      async ({ params, body }) => ({ ...adminSession(sessions, params.address).updateTimeouts(body) }),
    );
    onlyMethods(app, at('timeout'), ['POST', 'OPTIONS']);

    app.post(
      at('ping'),
      {
        onRequest,
        schema: {
          tags,
          summary: 'Begin the inactive timeout anew',
          params: AddressPath,
          body: NoParameters,
          response: { 200: Ok },
        },
      },
      async ({ params }) => {
        adminSession(sessions, params.address).ping();
        return { status: 'ok' };
      },
    );
    onlyMethods(app, at('ping'), ['POST', 'OPTIONS']);

    app.post(
      at('bookmarks'),
      {
        onRequest,
        config: { body: 'text' },
        schema: {
          tags,
          summary: 'Append bookmarks',
          params: AddressPath,
          body: BookmarkFile,
          response: { 200: BookmarksAdded },
        },
      },
      async ({ params, body }) => {
        const items = parseBookmarkFile(body);
        await adminSession(sessions, params.address).addBookmarks(items);
        return { bookmarks: countOf(items) };
      },
    );
    onlyMethods(app, at('bookmarks'), ['POST', 'OPTIONS']);

    app.get(
      at('ok'),
      {
        schema: {
          tags,
          summary: 'See whether the address of sessions can be reached',
          security: [],
          params: AddressPath,
          response: { 200: Ok },
        },
      },
      async () => ({ status: 'ok' }),
    );
    onlyMethods(app, at('ok'), ['GET', 'OPTIONS']);
    done();
  };
}

function countOf(items: readonly Bookmark[]): number {
  return items.reduce((sum, { children }) => sum + (children ? countOf(children) : 1), 0);
}
