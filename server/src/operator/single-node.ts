import type { NodeSummary } from '../sessions/placement/nodes.js';
import type { PlacementRequest } from '../sessions/placement/placement.js';

/** Data about a service that is the only node. */
export interface SingleNode {
  name: string;
  url: string;
  regions: NodeSummary['regions'];
  sessionRoom: number;
  /** True while the service is shutting down. */
  draining: boolean;
  /** True if sessions start on this machine. */
  startsSessions: boolean;
  /** True if the machine has memory and processor time for another session. */
  hasResources: boolean;
  /** Placement requests of the sessions that hold a place. */
  held: Iterable<PlacementRequest>;
}

/**
 * Returns the summary of a service that is not part of a cluster. Counts its sessions and adds up their cost.
 * The total cost has no limit.
 */
export function singleNode(node: SingleNode): NodeSummary {
  const { held, url, draining, startsSessions, hasResources, ...same } = node;
  const costs = [...held].map(({ cost }) => cost);
  return {
    ...same,
    ...{ code: null, condition: draining ? 'draining' : 'alive', own: true, url, publicUrl: url, mode: null },
    sessions: costs.length,
    cost: costs.reduce((sum, cost) => sum + cost, 0),
    costRoom: null,
    draining,
    headroom: startsSessions && hasResources,
    leaseAge: null,
  };
}
