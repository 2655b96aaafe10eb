import type { FastifyInstance, HTTPMethods } from 'fastify';
import { ServiceError } from '../service-error.js';
import { isOpenToPages } from './access/session-scope.js';

const METHODS: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Watches the routes that are added after this call. Returns a function that the caller calls when all routes
 * are added. Then the address of each route answers all other methods with 405 and a list of the allowed
 * methods. Addresses that are open to pages also answer `OPTIONS`, for the preflight requests of browsers.
 */
export function completeMethods(app: FastifyInstance): () => void {
  const addresses = new Map<string, { scope: FastifyInstance; methods: Set<unknown> }>();
  app.addHook('onRoute', function ({ url, method }) {
    const address = addresses.get(url) ?? { scope: this, methods: new Set() };
    for (const name of [method].flat()) address.methods.add(name);
    addresses.set(url, address);
  });
  return () => {
    for (const [url, { scope, methods }] of [...addresses]) {
      // Skips routes of files, where a missing file results in 404 with any method.
      if (url.includes('*')) continue;
      if (isOpenToPages(scope) && !methods.has('OPTIONS'))
        scope.options(url, (_request, reply) => reply.code(204).send());
      const allowed = METHODS.filter((name) => methods.has(name)).join(', ');
      scope.route({
        method: METHODS.filter((name) => !methods.has(name)),
        url,
        handler: (request, reply) => {
          reply.header('allow', allowed);
          throw new ServiceError('err_method_not_allowed', request.method, allowed);
        },
      });
    }
  };
}
