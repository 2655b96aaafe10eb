import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ServiceError } from '../../service-error.js';
import { REGIONS } from '../../sessions/settings/region.js';
import type { SessionService } from '../../sessions/session-service.js';
import { oneOf } from '../../sessions/settings/fields.js';
import { Ok } from '../schemas/session-control.js';

const tags = ['Health'];
const RegionQuery = Type.Object({
  reg: Type.Optional(oneOf(REGIONS, { description: 'Whether sessions can run there.' })),
});

/** `/livez`: the process answers. `/readyz`: it also takes new sessions. `/vm/ok`: it does so for a region. */
export function healthRoutes(sessions: SessionService): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    const schema = (summary: string) => ({ tags, summary, security: [], response: { 200: Ok } });
    app.get('/livez', { schema: schema('See whether the service lives') }, () => ({ status: 'ok' }));
    app.get('/readyz', { schema: schema('See whether the service takes sessions') }, () => {
      sessions.requireReady();
      return { status: 'ok' };
    });
    app.get(
      '/vm/ok',
      { schema: { ...schema('See whether a region takes sessions'), querystring: RegionQuery } },
      ({ query }) => {
        sessions.requireReady();
        const { reg } = query;
        if (reg !== undefined && !sessions.regions.includes(reg)) {
          throw new ServiceError('err_region_unavailable', reg, sessions.regions.join(', '));
        }
        return { status: 'ok' };
      },
    );
    done();
  };
}
