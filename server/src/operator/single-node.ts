import type { NodeSummary } from '../sessions/placement/nodes.js';
import type { PlacementRequest } from '../sessions/placement/placement.js';

/** Data about a service that is the only node. */
export interface SingleNode {
  name: string;
  url: string;
  regions: NodeSummary['regions'];
  sessionRoom: number;
  /** True while it is shutting down. */
  draining: boolean;
  /** True if sessions start on it. */
  headroom: boolean;
  /** Placement requests of its sessions. */
  held: Iterable<PlacementRequest>;
}

/**
 * Returns the summary of a service on a single machine. Its sessions are counted. Their cost has no limit.
 */
export function singleNode({ held, url, draining, ...same }: SingleNode): NodeSummary {
  const costs = [...held].map(({ cost }) => cost);
  return {
    ...same,
    ...{ code: null, condition: draining ? 'draining' : 'alive', own: true, url, publicUrl: url, mode: null },
    sessions: costs.length,
    cost: costs.reduce((sum, cost) => sum + cost, 0),
    costRoom: null,
    draining,
    leaseAge: null,
  };
}
