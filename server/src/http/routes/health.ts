import type { FastifyPluginAsync } from 'fastify';
import { ServiceError } from '../../service-error.js';
import type { SessionService } from '../../sessions/session-service.js';
import { onlyMethods } from '../only-methods.js';

/** `/livez`: the process answers. `/readyz`: it also takes new sessions. */
export function healthRoutes(sessions: SessionService): FastifyPluginAsync {
  return async (app) => {
    app.get('/livez', async () => ({ status: 'ok' }));
    onlyMethods(app, '/livez', ['GET']);
    app.get('/readyz', async () => {
      if (!sessions.accepting) throw new ServiceError('err_unavailable');
      return { status: 'ok' };
    });
    onlyMethods(app, '/readyz', ['GET']);
  };
}
