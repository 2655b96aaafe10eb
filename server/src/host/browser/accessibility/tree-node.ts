import type { CdpSession } from '../cdp/cdp-session.js';
import type { NodeFacts } from './read-node.js';

/** A node of the tree: in a frame of one origin, or where one begins. */
export interface TreeNode {
  id: number;
  session: CdpSession;
  /** As the browser numbers it there. */
  key: number;
  depth: number;
  parent: TreeNode | undefined;
  facts: NodeFacts;
  ignored: boolean;
  inside: TreeNode[];
  /** What is inside as the browser numbers it, also what was not read yet. */
  order: readonly number[];
  active: number | undefined;
  /** The frame in which it is, as the browser names that. */
  frame: string | undefined;
  /** A field: what is in it is for those alone who may write into masked fields. */
  secret: boolean;
  /** What is inside is not read: the value says it. */
  leaf: boolean;
}
