import type { NodeAddress } from '../../sessions/placement.js';

/** Address and state of a node. */
export interface ReachedNode {
  address: NodeAddress;
  /** `gone`: it is lost, has left, or never existed. Then only the records of its sessions are left. */
  state: 'alive' | 'late' | 'gone';
}

/** The nodes of the cluster, as far as this one knows. */
export interface NodeDirectory {
  /** Code of this node. */
  readonly code: string;
  /**
   * Returns the node with a code, or undefined if there is none. Reads from the database only if the code is
   * unknown or not fresh.
   */
  find(code: string): Promise<ReachedNode | undefined>;
}
