import type { TreeNode } from './tree-node.js';

/** What is shown inside of a node: through what is ignored. */
export function* shownInside(node: TreeNode): Iterable<TreeNode> {
  if (node.leaf) return;
  for (const child of node.inside) {
    if (child.ignored) yield* shownInside(child);
    else yield child;
  }
}

/** Whether a node is for those alone who may write into masked fields: it is in one, or is one. */
export function isSecret(node: TreeNode | undefined): boolean {
  for (let around = node; around; around = around.parent) if (around.secret) return true;
  return false;
}

/** The node itself, or what is shown around it. */
export function shownAround(node: TreeNode | undefined): TreeNode | undefined {
  let shown = node;
  while (shown?.ignored) shown = shown.parent;
  return shown;
}

/** How many nodes are inside, through what is ignored; counted no further than a little beyond `enough`. */
export function countInside(node: TreeNode, enough: number): number {
  let count = 0;
  for (const child of node.inside) {
    count += 1 + (child.ignored ? countInside(child, enough) : 0);
    if (count > enough) break;
  }
  return count;
}

/** What is inside of a node, and of what is ignored there. */
export function* everyInside(node: TreeNode): Iterable<TreeNode> {
  for (const child of node.inside) {
    yield child;
    if (child.ignored) yield* everyInside(child);
  }
}
