import type { NodeAddress } from '../../sessions/placement/placement.js';

/** Address and state of a node. */
export interface ReachedNode {
  address: NodeAddress;
  /** `gone`: the node is lost or has left. Only the records of its sessions remain. */
  state: 'alive' | 'late' | 'gone';
}

/** The nodes of the cluster, as this node knows them. */
export interface NodeDirectory {
  /** Code of this node. */
  readonly code: string;
  /**
   * Returns the node with a code, or undefined if there is none. Reads from the database only if the node is
   * unknown or its known state is not fresh.
   */
  find(code: string): Promise<ReachedNode | undefined>;
}
