import type { FastifyPluginCallback } from 'fastify';
import { ServiceError } from '../../service-error.js';
import type { NodeReport } from '../../sessions/placement/nodes.js';
import { PEER_PATHS, type BeginRequest, type OtherNodes } from '../../sessions/placement/other-nodes.js';
import type { SessionService } from '../../sessions/session-service.js';

/**
 * Maximum size in bytes of a request to begin a session. The request can contain an extension's files in
 * base64.
 */
const MAX_ORDER_BYTES = 96 * 2 ** 20;

/** Seconds after which a refused create request may be repeated. */
const AGAIN_SECONDS = 1;

/** Parts that the routes between nodes need. */
export interface PeerRoutesParts {
  sessions: SessionService;
  otherNodes: OtherNodes;
  /** Resolves to true if a session that another node has placed here still has its place. */
  canStart: (sessionId: string) => Promise<boolean>;
  /** Returns the milliseconds for which this node has reached the database without interruption. */
  connectedFor: () => number;
  /** Returns this node's report about the last `seconds`, for operators. */
  report: (seconds: number) => NodeReport;
}

/**
 * Routes below `/v0/node`, only for other nodes of the cluster. An earlier hook has checked the signature of
 * their requests. All other clients get 404. The bodies are not validated, because the sender is the same
 * program.
 */
export function peerRoutes(parts: PeerRoutesParts): FastifyPluginCallback {
  const { sessions, otherNodes, canStart, connectedFor, report } = parts;
  return (app, _options, done) => {
    app.addHook('onRequest', async (request) => {
      if (!otherNodes.sentByNode(request.raw)) throw new ServiceError('err_not_found', 'such address');
    });
    app.post(PEER_PATHS.begin, { bodyLimit: MAX_ORDER_BYTES }, async ({ body }) => {
      const order = body as BeginRequest;
      // Between the placement and this request, this node may have lost contact with the database. Another
      // session may then have received the place.
      if (!(await canStart(order.id))) throw new ServiceError('err_busy', AGAIN_SECONDS);
      return sessions.begin(order);
    });
    app.post(PEER_PATHS.existing, async ({ body }) => {
      const { id } = body as { id: string };
      return { session: (await sessions.existing(id)) ?? null };
    });
    app.post(PEER_PATHS.end, async ({ body }) => {
      const { id } = body as { id: string };
      // The end of a session can take longer than the other node waits for this answer.
      await sessions.endWithin(id, 'request', 0);
      return {};
    });
    app.post(PEER_PATHS.statuses, ({ body }) => {
      const { ids } = body as { ids: readonly string[] };
      return { statuses: ids.flatMap((id) => sessions.live(id)?.status ?? []) };
    });
    app.post(PEER_PATHS.voice, () => ({ connectedFor: connectedFor() }));
    app.post(PEER_PATHS.report, ({ body }) => report((body as { seconds: number }).seconds));
    done();
  };
}
