import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { ApiKeys } from '../../../auth/api-keys.js';
import { knownRoles } from '../../../create-fields/values/roles.js';
import type { Warnings } from '../../../create-fields/warnings.js';
import { AddressPath } from '../../schemas/session/session-control.js';
import { tellWarnings } from '../../answers/warnings-header.js';
import {
  Changed,
  PermissionsBody,
  RolesBody,
  UserKicked,
  UserList,
  UserPath,
} from '../../schemas/session/users.js';
import {
  ADMIN_OR_KEY,
  adminSession,
  openToPages,
  requireAdminOrKey,
  SESSION_PATH,
  type SessionScopeParts,
} from '../../access/session-scope.js';

const base = { tags: ['A session'], security: ADMIN_OR_KEY, params: AddressPath };
const CHANGES = [
  { method: 'setPermissions', body: PermissionsBody, summary: 'Set the permissions of a user' },
  { method: 'addRoles', body: RolesBody, summary: 'Give roles to users' },
  { method: 'removeRoles', body: RolesBody, summary: 'Take roles from users' },
] as const;

/**
 * Routes for the users of one session. They need its admin token or an API key. The session itself checks the
 * arguments.
 */
export function userRoutes(parts: SessionScopeParts & { apiKeys: ApiKeys }): FastifyPluginCallbackTypebox {
  const { sessions } = parts;
  const onRequest = requireAdminOrKey(parts, parts.apiKeys);

  return (app, _options, done) => {
    openToPages(app);
    for (const { method, body, summary } of CHANGES) {
      app.post(
        `${SESSION_PATH}/${method}`,
        {
          onRequest,
          schema: { ...base, summary, body, warns: method !== 'setPermissions', response: { 200: Changed } },
        },
        async ({ params, body: args }, reply) => {
          const warnings: Warnings = [];
          const wanted = method === 'setPermissions' ? args : withKnownRoles(args, warnings);
          await adminSession(sessions, params.address).host.forward(method, wanted);
          tellWarnings(reply, warnings);
          return reply.type('application/json; charset=utf-8').send(true);
        },
      );
    }

    app.get(
      `${SESSION_PATH}/users`,
      { onRequest, schema: { ...base, summary: 'List the connected users', response: { 200: UserList } } },
      async ({ params }) => ({
        users: await adminSession(sessions, params.address).host.call('users.list', []),
      }),
    );

    app.delete(
      `${SESSION_PATH}/users/:user_id`,
      {
        onRequest,
        schema: { ...base, summary: 'Remove a user', params: UserPath, response: { 200: UserKicked } },
      },
      async ({ params }) => {
        await adminSession(sessions, params.address).host.call('kick', [params.user_id]);
        return { user_id: params.user_id };
      },
    );
    done();
  };
}

/**
 * Removes unknown roles from the arguments, because the session cannot give or remove them. The session
 * reports all other errors in the arguments itself.
 */
function withKnownRoles(args: readonly unknown[], warnings: Warnings): readonly unknown[] {
  const [users, roles, ...others] = args;
  const named = Array.isArray(roles) && roles.every((role) => typeof role === 'string');
  return named ? [users, knownRoles('The second argument', roles, warnings), ...others] : args;
}
