import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { Bookmark } from '../../host-protocol.js';
import { parseBookmarkFile } from '../bodies/bookmark-file.js';
import {
  AddressPath,
  BookmarkFile,
  BookmarksAdded,
  NoParameters,
  Ok,
  TimeoutUpdateBody,
  TimeoutView,
} from '../schemas/session-control.js';
import {
  adminSession,
  openToPages,
  requireAdmin,
  SESSION_PATH,
  type SessionScopeParts,
} from '../session-scope.js';

const tags = ['A session'];

/** Control of one running session, for the holder of its admin token. */
export function sessionControlRoutes(parts: SessionScopeParts): FastifyPluginCallbackTypebox {
  const { sessions } = parts;
  const onRequest = requireAdmin(parts);

  return (app, _options, done) => {
    openToPages(app);
    app.post(
      `${SESSION_PATH}/timeout`,
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

    app.post(
      `${SESSION_PATH}/ping`,
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

    app.post(
      `${SESSION_PATH}/bookmarks`,
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

    app.get(
      `${SESSION_PATH}/ok`,
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
    done();
  };
}

function countOf(items: readonly Bookmark[]): number {
  return items.reduce((sum, { children }) => sum + (children ? countOf(children) : 1), 0);
}
