import type { FastifyInstance } from 'fastify';
import { clientAddress } from '../platform/client-address.js';
import { ServiceError } from '../service-error.js';
import type { OtherNodes } from '../sessions/other-nodes.js';
import { ADDRESS_PATTERN, decodeSessionId } from '../sessions/session-address.js';

/** What names a session: its own address, and what is below, or its id in the API. */
const ADDRESS = new RegExp(`^/(${ADDRESS_PATTERN})(?:[/?]|$)`);
const IN_API = /^\/v0\/vm\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:[/?]|$)/i;

/**
 * Passes requests about sessions of other nodes on to these, whole and unread: whoever is asked, the owner answers. Comes before
 * everything that looks at a request. A request that another node has passed on stays here.
 *
 * @param proxies reverse proxies of ours before this service
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

/** The id of the session that a path is about. */
function sessionIn(url: string): string | undefined {
  const address = ADDRESS.exec(url)?.[1];
  return address === undefined ? IN_API.exec(url)?.[1]?.toLowerCase() : decodeSessionId(address);
}
