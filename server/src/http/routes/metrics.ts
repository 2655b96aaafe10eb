import type { FastifyPluginCallback } from 'fastify';
import type { ApiKeys } from '../../auth/api-keys.js';
import type { Metrics } from '../../platform/prometheus.js';
import { requireApiKey } from '../credential.js';

/** `/metrics`: figures for Prometheus, with an API key as bearer token. */
export function metricsRoutes(metrics: Metrics, apiKeys: ApiKeys): FastifyPluginCallback {
  return (app, _options, done) => {
    app.addHook('onRequest', requireApiKey(apiKeys));
    app.get(
      '/metrics',
      { schema: { tags: ['Health'], summary: 'Figures in the text format of Prometheus' } },
      (_request, reply) => reply.type('text/plain; version=0.0.4; charset=utf-8').send(metrics.render()),
    );
    done();
  };
}
