import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { ApiKeys } from '../../auth/api-keys.js';
import { ServiceError } from '../../service-error.js';
import type { SessionService } from '../../sessions/session-service.js';
import { requireApiKey } from '../access/credential.js';
import { GivenUp, GiveUpQuery, UnsavedProfilePath, UnsavedProfiles } from '../schemas/unsaved-profiles.js';

/** Parts that the routes of unsaved profiles need. */
export interface UnsavedProfilesParts {
  operatorKeys: ApiKeys;
  sessions: SessionService;
}

const PATH = '/v0/profiles/unsaved';
const base = { tags: ['Health'], security: [{ operatorKey: [] }] };
const schemas = {
  list: {
    ...base,
    summary: 'List the profiles whose newest data is on unreachable machines',
    response: { 200: UnsavedProfiles },
  },
  one: {
    ...base,
    summary: 'Discard the unsaved data of a profile',
    params: UnsavedProfilePath,
    response: { 200: GivenUp },
  },
  node: {
    ...base,
    summary: 'Discard all unsaved data of a machine',
    querystring: GiveUpQuery,
    response: { 200: GivenUp },
  },
};

/** `/v0/profiles/unsaved`: lists and discards unsaved data on unreachable machines. Needs an operator key. */
export function unsavedProfileRoutes(parts: UnsavedProfilesParts): FastifyPluginCallbackTypebox {
  const { profiles } = parts.sessions;
  return (app, _options, done) => {
    app.addHook('onRequest', requireApiKey(parts.operatorKeys));

    app.get(PATH, { schema: schemas.list }, async (_request, reply) => {
      reply.header('cache-control', 'no-store');
      const unsaved = await profiles.unsaved();
      return {
        profiles: unsaved.map(({ profile, sessionId, node, nodeName, since }) => ({
          ...{ profile, session_id: sessionId, node, node_name: nodeName },
          session_date: since.toISOString(),
        })),
      };
    });

    app.delete(`${PATH}/:profile`, { schema: schemas.one }, async ({ params }) => {
      const profile = params.profile.toLowerCase();
      if (!(await profiles.giveUp(profile)))
        throw new ServiceError('err_not_found', 'unsaved data of this profile on an unreachable machine');
      return { profiles: [profile] };
    });

    app.delete(PATH, { schema: schemas.node }, async ({ query }) => {
      const given: string[] = [];
      for (const { profile, node } of await profiles.unsaved())
        if (node === query.node && (await profiles.giveUp(profile))) given.push(profile);
      return { profiles: given };
    });
    done();
  };
}
