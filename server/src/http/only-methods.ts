import type { FastifyInstance, HTTPMethods } from 'fastify';
import { ServiceError } from '../service-error.js';

const METHODS: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Answers 405 with the allowed methods to every other method of an address that has routes already. */
export function onlyMethods(app: FastifyInstance, url: string, allowed: HTTPMethods[]): void {
  const names = allowed.join(', ');
  app.route({
    method: METHODS.filter((method) => !allowed.includes(method)),
    url,
    handler: (request, reply) => {
      reply.header('allow', names);
      throw new ServiceError('err_method_not_allowed', request.method, names);
    },
  });
}
