import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { ApiKeys } from '../../auth/api-keys.js';
import { CORS } from '../cors.js';
import { adminSession, requireAdminOrKey } from '../credential.js';
import { onlyMethods } from '../only-methods.js';
import { AddressPath, Ok } from '../schemas/session-control.js';
import { PermissionsBody, RolesBody, UserKicked, UserList, UserPath } from '../schemas/users.js';
import { ADDRESS_PATTERN } from '../../sessions/session-address.js';
import type { SessionControlParts } from './session-control.js';

const tags = ['A session'];
const CHANGES = [
  { method: 'setPermissions', body: PermissionsBody, summary: 'Set the permissions of a user' },
  { method: 'addRoles', body: RolesBody, summary: 'Give roles to users' },
  { method: 'removeRoles', body: RolesBody, summary: 'Take roles from users' },
] as const;

/** The users of one session, for the holder of its admin token or of an API key. The session itself decides. */
export function userRoutes({
  sessions,
  tokens,
  apiKeys,
}: SessionControlParts & { apiKeys: ApiKeys }): FastifyPluginCallbackTypebox {
  const at = (path: string) => `/:address(^${ADDRESS_PATTERN}$)/${path}`;
  const onRequest = requireAdminOrKey(sessions, tokens, apiKeys);

  return (app, _options, done) => {
    app.addHook('onRequest', (_request, reply, next) => {
      reply.headers(CORS);
      next();
    });
    for (const path of [...CHANGES.map(({ method }) => method), 'users', 'users/:user_id']) {
      app.options(at(path), { schema: { hide: true } }, async (_request, reply) => reply.code(204).send());
    }

    for (const { method, body, summary } of CHANGES) {
      app.post(
        at(method),
        { onRequest, schema: { tags, summary, params: AddressPath, body, response: { 200: Ok } } },
        async ({ params, body: args }) => {
          await adminSession(sessions, params.address).forward(method, args);
          return { status: 'ok' };
        },
      );
      onlyMethods(app, at(method), ['POST', 'OPTIONS']);
    }

    app.get(
      at('users'),
      {
        onRequest,
        schema: {
          tags,
          summary: 'List the connected users',
          params: AddressPath,
          response: { 200: UserList },
        },
      },
      async ({ params }) => ({
        users: await adminSession(sessions, params.address).call('users.list', []),
      }),
    );
    onlyMethods(app, at('users'), ['GET', 'OPTIONS']);

    app.delete(
      at('users/:user_id'),
      {
        onRequest,
        schema: { tags, summary: 'Remove a user', params: UserPath, response: { 200: UserKicked } },
      },
      async ({ params }) => {
        await adminSession(sessions, params.address).call('kick', [params.user_id]);
        return { user_id: params.user_id };
      },
    );
    onlyMethods(app, at('users/:user_id'), ['DELETE', 'OPTIONS']);
    done();
  };
}
