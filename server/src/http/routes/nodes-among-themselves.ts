import type { FastifyPluginCallback } from 'fastify';
import { ServiceError } from '../../service-error.js';
import type { BeginOrder, OtherNodes } from '../../sessions/other-nodes.js';
import type { SessionService } from '../../sessions/session-service.js';

/** An order carries the files of an extension, base64. */
const MAX_ORDER_BYTES = 96 * 2 ** 20;

/** What nodes ask each other. */
export interface PeerRoutesParts {
  sessions: SessionService;
  otherNodes: OtherNodes;
  /** Whether this node reaches the database at this moment. */
  reachesDatabase: () => boolean;
}

/**
 * Below `/v0/node`: for other nodes of the cluster alone, whose seal was checked before; to everybody else there is nothing here.
 * What they send is trusted for its form: it is of the same program.
 */
export function peerRoutes({
  sessions,
  otherNodes,
  reachesDatabase,
}: PeerRoutesParts): FastifyPluginCallback {
  return (app, _options, done) => {
    app.addHook('onRequest', async (request) => {
      if (!otherNodes.sentByNode(request.raw)) throw new ServiceError('err_not_found', 'such address');
    });
    app.post('/v0/node/begin', { bodyLimit: MAX_ORDER_BYTES }, ({ body }) =>
      sessions.begin(body as BeginOrder),
    );
    app.post('/v0/node/existing', async ({ body }) => {
      const { id } = body as { id: string };
      return { session: (await sessions.existing(id)) ?? null };
    });
    app.post('/v0/node/statuses', ({ body }) => {
      const { ids } = body as { ids: readonly string[] };
      return { statuses: ids.flatMap((id) => sessions.live(id)?.status ?? []) };
    });
    app.post('/v0/node/voice', () => ({ database: reachesDatabase() }));
    done();
  };
}
