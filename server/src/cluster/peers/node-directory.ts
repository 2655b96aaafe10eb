import type { NodeAddress } from '../../sessions/placement.js';

/** What is known of a node. */
export interface KnownNode {
  address: NodeAddress;
  /** `gone`: it is lost, has left, or never was; what is kept of its sessions is all there is. */
  state: 'alive' | 'late' | 'gone';
}

/** The nodes of the cluster, as far as this one knows. */
export interface NodeDirectory {
  /** The code of this node. */
  readonly code: string;
  /** The node with a code; undefined when there is none. Asks the database only about codes that are new. */
  find(code: string): Promise<KnownNode | undefined>;
}
