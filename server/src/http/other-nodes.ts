import type { FastifyInstance } from 'fastify';
import { clientAddress } from '../platform/network/client-address.js';
import { ServiceError } from '../service-error.js';
import type { OtherNodes } from '../sessions/placement/other-nodes.js';
import { ADDRESS_PATTERN, decodeSessionId } from '../sessions/viewers/session-address.js';

/** Paths that name a session: the session's own address and all paths below it, or its id in the API. */
const ADDRESS = new RegExp(`^/(${ADDRESS_PATTERN})(?:[/?]|$)`);
const IN_API = /^\/v0\/vm\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:[/?]|$)/i;

/**
 * Forwards requests for sessions of other nodes to those nodes, without reading their bodies. So a client may
 * send requests to any node. Runs before the hooks that check credentials and read bodies. Never forwards a
 * request that comes from another node.
 *
 * @param proxies number of the operator's reverse proxies in front of this service
 */
export function passOn(app: FastifyInstance, otherNodes: OtherNodes, proxies: number): void {
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request;
    if (!otherNodes.admit(raw)) throw new ServiceError('err_unauthenticated');
    if (otherNodes.sentByNode(raw)) return;
    const sessionId = sessionIn(raw.url ?? '');
    if (sessionId === undefined) return;
    const node = await otherNodes.ownerOf(sessionId);
    if (!node) return;
    reply.hijack();
    otherNodes.forward(node, raw, reply.raw, clientAddress(raw, proxies));
  });
}

/** Returns the id of the session in a path. */
function sessionIn(url: string): string | undefined {
  const address = ADDRESS.exec(url)?.[1];
  return address === undefined ? IN_API.exec(url)?.[1]?.toLowerCase() : decodeSessionId(address);
}
