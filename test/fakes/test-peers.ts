import type { NodeDirectory } from '../../server/src/cluster/peers/node-directory.js';
import { PeerNodes, type PeerNodesParts } from '../../server/src/cluster/peers/peer-nodes.js';
import { PeerSeal } from '../../server/src/cluster/peers/peer-seal.js';
import { systemClock } from '../../server/src/platform/time/clock.js';

/** Key that all nodes of tests share. */
export const SECRET = Buffer.alloc(32, 9);

/** The other nodes, as a node with this code reaches them. */
export function testPeers(
  code: string,
  find: NodeDirectory['find'],
  more: Pick<PeerNodesParts, 'timeouts'> = {},
): PeerNodes {
  const seal = new PeerSeal(
    SECRET,
    () => code,
    () => Date.now(),
  );
  return new PeerNodes({ nodes: { code, find }, seal, clock: systemClock, ...more });
}
