import type { FastifyPluginCallback } from 'fastify';
import { ServiceError } from '../../service-error.js';
import type { NodeReport } from '../../sessions/nodes.js';
import { PEER_PATHS, type BeginOrder, type OtherNodes } from '../../sessions/other-nodes.js';
import type { SessionService } from '../../sessions/session-service.js';

/** An order carries the files of an extension, base64. */
const MAX_ORDER_BYTES = 96 * 2 ** 20;

/** When a create that came to the wrong moment may be tried again. */
const AGAIN_SECONDS = 1;

/** What nodes ask each other. */
export interface PeerRoutesParts {
  sessions: SessionService;
  otherNodes: OtherNodes;
  /** Whether a session that another node has placed here still has its place. */
  mayBegin: (sessionId: string) => Promise<boolean>;
  /** For how many milliseconds this node has reached the database. */
  steadyFor: () => number;
  /** What this node tells operators of its last seconds. */
  report: (seconds: number) => NodeReport;
}

/**
 * Below `/v0/node`: for other nodes of the cluster alone, whose seal was checked before; to everybody else there is nothing here.
 * What they send is trusted for its form: it is of the same program.
 */
export function peerRoutes(parts: PeerRoutesParts): FastifyPluginCallback {
  const { sessions, otherNodes, mayBegin, steadyFor, report } = parts;
  return (app, _options, done) => {
    app.addHook('onRequest', async (request) => {
      if (!otherNodes.sentByNode(request.raw)) throw new ServiceError('err_not_found', 'such address');
    });
    app.post(PEER_PATHS.begin, { bodyLimit: MAX_ORDER_BYTES }, async ({ body }) => {
      const order = body as BeginOrder;
      // This node may have been away since, and the place somebody else's.
      if (!(await mayBegin(order.id))) throw new ServiceError('err_busy', AGAIN_SECONDS);
      return sessions.begin(order);
    });
    app.post(PEER_PATHS.existing, async ({ body }) => {
      const { id } = body as { id: string };
      return { session: (await sessions.existing(id)) ?? null };
    });
    app.post(PEER_PATHS.statuses, ({ body }) => {
      const { ids } = body as { ids: readonly string[] };
      return { statuses: ids.flatMap((id) => sessions.live(id)?.status ?? []) };
    });
    app.post(PEER_PATHS.voice, () => ({ steadyFor: steadyFor() }));
    app.post(PEER_PATHS.report, ({ body }) => report((body as { seconds: number }).seconds));
    done();
  };
}
