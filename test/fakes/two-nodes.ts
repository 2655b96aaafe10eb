import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PeerNodes } from '../../server/src/cluster/peers/peer-nodes.js';
import type { ReachedNode } from '../../server/src/cluster/peers/node-directory.js';
import type { NodeSummary } from '../../server/src/sessions/placement/nodes.js';
import type {
  NodeAddress,
  Placed,
  Placement,
  PlacementRequest,
} from '../../server/src/sessions/placement/placement.js';
import { newSessionId } from '../../server/src/sessions/session-id.js';
import { testPeers } from './test-peers.js';
import { createTestService, type TestService } from './test-service.js';
import { MemoryRegistry } from './memory-registry.js';

/** Gives every session a place on the node that a test names, and knows tags. */
class ChosenPlacement implements Placement {
  constructor(
    private readonly own: string,
    private readonly nodes: Nodes,
  ) {}

  place({ tag }: PlacementRequest, unreached: readonly string[] = []): Promise<Placed> {
    for (const id of unreached) this.release(id);
    const target = unreached.length > 0 ? this.own : this.nodes.target;
    const holder = tag === null ? undefined : this.nodes.tags.get(tag);
    const id = holder ?? newSessionId(target);
    if (tag !== null) this.nodes.tags.set(tag, id);
    const address = this.nodes.known.get(id.slice(0, 6))?.address;
    const node = id.startsWith(this.own) || !address ? null : address;
    return Promise.resolve({ kind: holder === undefined ? 'begin' : 'exists', id, node });
  }

  missing(sessionId: string): Promise<void> {
    this.nodes.missing.push(sessionId);
    return nextTurn();
  }

  release(sessionId: string): void {
    for (const [tag, id] of this.nodes.tags) if (id === sessionId) this.nodes.tags.delete(tag);
  }
}

interface Nodes {
  known: Map<string, ReachedNode>;
  tags: Map<string, string>;
  /** Ids that were requested at their nodes and do not exist. */
  missing: string[];
  /** The code of the node that the next session is placed on. */
  target: string;
}

/** A service on fakes that is one of two nodes. */
export interface TestNode {
  code: string;
  url: string;
  service: TestService;
  peers: PeerNodes;
}

function summaryOf({ address: { code, url, publicUrl } }: ReachedNode, own: string): NodeSummary {
  return {
    ...{ name: `node ${code}`, code, condition: 'alive', own: code === own, url, publicUrl, mode: 'gateway' },
    ...{
      regions: ['EU'],
      sessions: 0,
      sessionRoom: 3,
      cost: 0,
      costRoom: 1e8,
      draining: false,
      headroom: true,
    },
    leaseAge: 1_234,
  };
}

/**
 * Two services on fakes that know each other and share one registry; sessions are placed on the node that
 * `nodes.target` names.
 */
export async function twoNodes(): Promise<{
  nodes: Nodes;
  a: TestNode;
  b: TestNode;
  close(): Promise<void>;
}> {
  const nodes: Nodes = { known: new Map(), tags: new Map(), missing: [], target: 'bbbbbb' };
  const registry = new MemoryRegistry();
  const start = async (code: string): Promise<TestNode> => {
    const timeouts = { connect: 500, answer: 500, call: 500 };
    const peers = testPeers(code, (asked) => Promise.resolve(nodes.known.get(asked)), { timeouts });
    const placement = new ChosenPlacement(code, nodes);
    const service = await createTestService({
      instead: { placement, otherNodes: peers, registry },
      summaries: () => [...nodes.known.values()].map((known) => summaryOf(known, code)),
    });
    service.pool.showsAtOnce = true;
    await service.app.listen({ host: '127.0.0.1', port: 0 });
    const url = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
    const address: NodeAddress = { code, url, publicUrl: url };
    nodes.known.set(code, { address, state: 'alive' });
    return { code, url, service, peers };
  };
  const a = await start('aaaaaa');
  const b = await start('bbbbbb');
  return {
    ...{ nodes, a, b },
    async close() {
      for (const { peers, service } of [a, b]) {
        peers.close();
        await service.close();
      }
    },
  };
}
