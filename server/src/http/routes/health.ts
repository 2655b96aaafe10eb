import type { FastifyPluginCallback } from 'fastify';
import { ServiceError } from '../../service-error.js';
import type { SessionService } from '../../sessions/session-service.js';
import { onlyMethods } from '../only-methods.js';

/** `/livez`: the process answers. `/readyz`: it also takes new sessions. */
export function healthRoutes(sessions: SessionService): FastifyPluginCallback {
  return (app, _options, done) => {
    app.get('/livez', () => ({ status: 'ok' }));
    onlyMethods(app, '/livez', ['GET']);
    app.get('/readyz', () => {
      if (!sessions.accepting) throw new ServiceError('err_unavailable');
      return { status: 'ok' };
    });
    onlyMethods(app, '/readyz', ['GET']);
    done();
  };
}
