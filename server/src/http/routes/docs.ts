import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync } from 'fastify';
import { DOCS_PATH, type DocsSite } from '../pages/docs-site.js';

/**
 * Serves the documentation as static files, and its 404 page for unknown addresses. Register the plugin under
 * {@link DOCS_PATH}.
 */
export function docsRoutes({ directory, policy, notFound }: DocsSite): FastifyPluginAsync {
  const headers = {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    // Clients revalidate each time, so that a rebuilt site is visible at once.
    'cache-control': 'no-cache',
  };
  return async (app) => {
    app.get('', (_request, reply) => reply.redirect(DOCS_PATH));
    app.setNotFoundHandler((_request, reply) =>
      reply.code(404).headers(headers).type('text/html; charset=utf-8').send(notFound),
    );
    await app.register(fastifyStatic, {
      root: directory,
      prefix: '/',
      decorateReply: false,
      setHeaders: (response) => {
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      },
    });
  };
}
