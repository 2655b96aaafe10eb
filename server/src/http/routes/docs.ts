import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync } from 'fastify';
import { DOCS_PATH, type DocsSite } from '../pages/docs-site.js';

/** The documentation, as files of a site; for addresses that lead nowhere, its page for those. To be registered below its path. */
export function docsRoutes({ directory, policy, notFound }: DocsSite): FastifyPluginAsync {
  const headers = {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    // Asked for again each time: a site that is built anew shows at once.
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
