import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { REGIONS, requireRegion } from '../../create-fields/values/region.js';
import type { Warnings } from '../../create-fields/warnings.js';
import type { SessionService } from '../../sessions/session-service.js';
import { Ok } from '../schemas/session/session-control.js';
import { tellWarnings } from '../answers/warnings-header.js';

const tags = ['Health'];
const RegionQuery = Type.Object({
  reg: Type.Optional(
    Type.String({
      maxLength: 256,
      description: `A region, to check if sessions can run there: ${REGIONS.join(', ')}.`,
    }),
  ),
});

const OPEN = { 'access-control-allow-origin': '*' };

/**
 * Health checks. `/livez` and `/ok` show that the process answers. Pages of any origin can read `/ok`.
 * `/readyz` shows that this process accepts new sessions. `/vm/ok` shows that the service accepts new
 * sessions, here or on another node, and that it serves the requested region.
 */
export function healthRoutes(sessions: SessionService): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    const schema = (summary: string) => ({ tags, summary, security: [], response: { 200: Ok } });
    app.get('/livez', { schema: schema('Check if the service process answers') }, () => ({ status: 'ok' }));
    app.get('/ok', { schema: schema('Check if the service can be reached') }, (_request, reply) => {
      reply.headers(OPEN);
      return { status: 'ok' };
    });
    app.get('/readyz', { schema: schema('Check if the service accepts new sessions') }, () => {
      sessions.requireReady();
      return { status: 'ok' };
    });
    app.get(
      '/vm/ok',
      {
        schema: {
          ...schema('Check if a region accepts new sessions'),
          warns: true,
          querystring: RegionQuery,
        },
      },
      ({ query }, reply) => {
        sessions.requireReady('anywhere');
        const warnings: Warnings = [];
        if (query.reg) requireRegion(query.reg, sessions.regions, warnings);
        tellWarnings(reply, warnings);
        return { status: 'ok' };
      },
    );
    done();
  };
}
