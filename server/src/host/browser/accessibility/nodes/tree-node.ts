import type { CdpSession } from '../../cdp/cdp-session.js';
import type { NodeFacts } from '../reading/read-node.js';

/** A node of the tree. */
export interface TreeNode {
  id: number;
  session: CdpSession;
  /** The node's number in the browser, unique in its session. */
  key: number;
  depth: number;
  parent: TreeNode | undefined;
  facts: NodeFacts;
  ignored: boolean;
  inside: TreeNode[];
  /** Keys of the node's children, including children that were not read yet. */
  order: readonly number[];
  active: number | undefined;
  /** The browser's id of the frame that contains the node. */
  frame: string | undefined;
  /** True for a field that only users who may write into masked fields may read. */
  secret: boolean;
  /** True if the node's children are not read, because the node's value contains their texts. */
  leaf: boolean;
}
