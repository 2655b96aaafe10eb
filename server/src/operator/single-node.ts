import type { NodeSummary } from '../sessions/nodes.js';
import type { Wanted } from '../sessions/placement.js';

/** What is to be said of a service that is the only node. */
export interface SingleNode {
  name: string;
  url: string;
  regions: NodeSummary['regions'];
  sessionRoom: number;
  /** It is being closed. */
  draining: boolean;
  /** What its sessions wanted. */
  held: Iterable<Wanted>;
}

/** A service on a single machine, as the one node that there is. Its sessions are counted, not weighed. */
export function singleNode({ held, url, draining, ...same }: SingleNode): NodeSummary {
  const costs = [...held].map(({ cost }) => cost);
  return {
    ...same,
    ...{ code: null, condition: draining ? 'draining' : 'alive', own: true, url, publicUrl: url, mode: null },
    sessions: costs.length,
    cost: costs.reduce((sum, cost) => sum + cost, 0),
    costRoom: null,
    draining,
    headroom: true,
    leaseAge: null,
  };
}
