import type { FastifyInstance } from 'fastify';
import type { Log } from '../../platform/log.js';
import { TokenBucket } from '../../platform/rates/token-bucket.js';
import { ServiceError } from '../../service-error.js';

/** Rate limit of the log line. Clients without a connection try again and again. */
const LINES = { perSecond: 1 / 600, burst: 1 };

/**
 * Refuses WebSocket requests that have lost their header `Upgrade` in a proxy, and logs the cause. Node.js
 * treats such a request as an ordinary one. Without this check, the answer would be the page of the session,
 * with the status 200, so the operator would find no cause in any log.
 */
export function refuseStrippedUpgrades(app: FastifyInstance, log: Log): void {
  const lines = new TokenBucket(LINES);
  app.addHook('onRequest', (request, _reply, done) => {
    const { 'sec-websocket-key': key, host } = request.headers;
    if (key === undefined) {
      done();
      return;
    }
    if (lines.take()) log.warn('a proxy does not forward WebSocket upgrades', { host });
    throw new ServiceError(
      'err_bad_request',
      'This WebSocket request has no header Upgrade or Connection. The proxy in front of the service must forward both.',
    );
  });
}
