import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { SessionMethod } from 'cloud-browser/protocol';
import type { FastifyReply } from 'fastify';
import type { Bookmark } from '../../../host-protocol.js';
import { limitsWithin } from '../../../create-fields/values/time-limits.js';
import type { Warnings } from '../../../create-fields/warnings.js';
import { parseBookmarkFile } from '../../bodies/bookmark-file.js';
import {
  AddressPath,
  BookmarkFile,
  BookmarksAdded,
  NoParameters,
  Ok,
  PinSizeBody,
  TimeoutUpdateBody,
  TimeoutView,
} from '../../schemas/session/session-control.js';
import { DialogMethodPath, TabArguments, TabMethodPath, TabResult } from '../../schemas/session/tabs.js';
import {
  adminSession,
  openToPages,
  requireAdmin,
  SESSION_PATH,
  type SessionScopeParts,
} from '../../access/session-scope.js';
import { tellWarnings } from '../../answers/warnings-header.js';

const base = { tags: ['A session'], params: AddressPath };
const schemas = {
  timeout: {
    ...base,
    summary: 'Change the time limits of a session',
    body: TimeoutUpdateBody,
    response: { 200: TimeoutView },
    warns: true,
  },
  ping: { ...base, summary: 'Restart the inactive timeout', body: NoParameters, response: { 200: Ok } },
  pinSize: {
    ...base,
    summary: 'Lock or unlock the size of the screen',
    body: PinSizeBody,
    response: { 200: Ok },
  },
  bookmarks: { ...base, summary: 'Append bookmarks', body: BookmarkFile, response: { 200: BookmarksAdded } },
  tabs: {
    ...base,
    summary: 'Call a method of chrome.tabs',
    params: TabMethodPath,
    body: TabArguments,
    response: { 200: TabResult },
  },
  dialogs: {
    ...base,
    summary: 'List or answer dialogs of pages',
    params: DialogMethodPath,
    body: TabArguments,
    response: { 200: TabResult },
  },
  ok: {
    ...base,
    summary: 'Check if the address of a session can be reached',
    security: [],
    response: { 200: Ok },
  },
};

/** Controls one running session. Needs its admin token. */
export function sessionControlRoutes(parts: SessionScopeParts): FastifyPluginCallbackTypebox {
  const { sessions } = parts;
  const onRequest = requireAdmin(parts);

  return (app, _options, done) => {
    openToPages(app);
    app.post(
      `${SESSION_PATH}/timeout`,
      { onRequest, schema: schemas.timeout },
      async ({ params, body }, reply) => {
        const warnings: Warnings = [];
        const update = { ...limitsWithin(body, '', warnings), reset: body.reset };
        const limits = adminSession(sessions, params.address).updateTimeouts(update);
        tellWarnings(reply, warnings);
        return { ...limits, ...(warnings.length > 0 && { warnings }) };
      },
    );

    app.post(`${SESSION_PATH}/ping`, { onRequest, schema: schemas.ping }, async ({ params }) => {
      adminSession(sessions, params.address).onActivity();
      return { status: 'ok' };
    });

    app.post(
      `${SESSION_PATH}/bookmarks`,
      { onRequest, config: { body: 'text' }, schema: schemas.bookmarks },
      async ({ params, body }) => {
        const items = parseBookmarkFile(body);
        await adminSession(sessions, params.address).host.addBookmarks(items);
        return { bookmarks: countOf(items) };
      },
    );

    const perform = async (reply: FastifyReply, address: string, method: SessionMethod, args: unknown[]) => {
      const result = await adminSession(sessions, address).host.forward(method, args);
      // Sent as a text, because the framework accepts only objects as JSON answers.
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(result ?? null));
    };
    const list = { onRequest, config: { body: 'list' } } as const;
    app.post(`${SESSION_PATH}/pinSize`, { ...list, schema: schemas.pinSize }, async ({ params, body }) => {
      await adminSession(sessions, params.address).host.forward('pinSize', body);
      return { status: 'ok' };
    });
    app.post(`${SESSION_PATH}/tabs.:method`, { ...list, schema: schemas.tabs }, ({ params, body }, reply) =>
      perform(reply, params.address, `tabs.${params.method}`, body),
    );
    app.post(
      `${SESSION_PATH}/dialogs.:method`,
      { ...list, schema: schemas.dialogs },
      ({ params, body }, reply) => perform(reply, params.address, `dialogs.${params.method}`, body),
    );

    app.get(`${SESSION_PATH}/ok`, { schema: schemas.ok }, async () => ({ status: 'ok' }));
    done();
  };
}

function countOf(items: readonly Bookmark[]): number {
  return items.reduce((sum, { children }) => sum + (children ? countOf(children) : 1), 0);
}
