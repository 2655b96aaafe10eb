import type { TreeNode } from './tree-node.js';

/**
 * Returns the shown children of a node. An ignored child is replaced by its own children.
 *
 * @param also returns true for an ignored node that is shown nevertheless
 */
export function* shownInside(node: TreeNode, also?: (node: TreeNode) => boolean): Iterable<TreeNode> {
  if (node.leaf) return;
  for (const child of node.inside) {
    if (child.ignored && !also?.(child)) yield* shownInside(child, also);
    else yield child;
  }
}

/**
 * True if a node is a masked field or inside one. Only users who may write into masked fields may read it.
 */
export function isSecret(node: TreeNode | undefined): boolean {
  for (let around = node; around; around = around.parent) if (around.secret) return true;
  return false;
}

/** Returns the node itself if it is shown, else the nearest shown node around it. */
export function shownAround(node: TreeNode | undefined): TreeNode | undefined {
  let shown = node;
  while (shown?.ignored) shown = shown.parent;
  return shown;
}

/**
 * Counts the children of a node, including those inside ignored children. Stops soon after the count exceeds
 * `enough`.
 */
export function countInside(node: TreeNode, enough: number): number {
  let count = 0;
  for (const child of node.inside) {
    count += 1 + (child.ignored ? countInside(child, enough) : 0);
    if (count > enough) break;
  }
  return count;
}

/** Returns the children of a node, including those inside ignored children. */
export function* everyInside(node: TreeNode): Iterable<TreeNode> {
  for (const child of node.inside) {
    yield child;
    if (child.ignored) yield* everyInside(child);
  }
}
