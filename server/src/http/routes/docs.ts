import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync } from 'fastify';
import { DOCS_PATH, type DocsSite } from '../pages/docs-site.js';

/** The documentation, as files of a site. */
export function docsRoutes({ directory, policy }: DocsSite): FastifyPluginAsync {
  return async (app) => {
    app.get(DOCS_PATH.slice(0, -1), (_request, reply) => reply.redirect(DOCS_PATH));
    await app.register(fastifyStatic, {
      root: directory,
      prefix: DOCS_PATH,
      decorateReply: false,
      setHeaders: (response) => {
        response.setHeader('content-security-policy', policy);
        response.setHeader('x-content-type-options', 'nosniff');
        response.setHeader('referrer-policy', 'no-referrer');
        // Asked for again each time: a site that is built anew shows at once.
        response.setHeader('cache-control', 'no-cache');
      },
    });
  };
}
