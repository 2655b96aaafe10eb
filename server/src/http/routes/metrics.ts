import type { FastifyPluginCallback } from 'fastify';
import type { Registry } from 'prom-client';
import type { ApiKeys } from '../../auth/api-keys.js';
import { requireApiKey } from '../access/credential.js';

/** `/metrics`: metrics for Prometheus. Needs a metrics key or an API key as bearer token. */
export function metricsRoutes(metrics: Registry, apiKeys: ApiKeys): FastifyPluginCallback {
  return (app, _options, done) => {
    app.addHook('onRequest', requireApiKey(apiKeys));
    app.get(
      '/metrics',
      { schema: { tags: ['Health'], summary: 'Metrics in the text format of Prometheus' } },
      async (_request, reply) => reply.type(metrics.contentType).send(await metrics.metrics()),
    );
    done();
  };
}
