import type { AccessibleNode } from 'cloud-browser/protocol';
import type { LiveTree } from './live-tree.js';
import { isSecret } from './nodes/node-walks.js';
import type { Secrets } from './secrets.js';
import type { TreeNode } from './nodes/tree-node.js';

/**
 * Returns a node in the form that a reader may see. Undefined if the reader may not see it.
 *
 * @param secrets texts that this reader must not receive; undefined if the reader may receive all texts
 * @param also returns true for an ignored node that is shown nevertheless
 */
export function readableNode(
  tree: LiveTree,
  node: TreeNode,
  secrets: Secrets | undefined,
  also?: (node: TreeNode) => boolean,
): AccessibleNode | undefined {
  const told = tree.tell(node, also);
  if (!secrets) return told;
  if (isSecret(node.parent)) return undefined;
  const kept = node.secret ? withoutContent(told) : told;
  const leaks = TEXTS.filter((field) => secrets.areIn(kept[field]));
  return leaks.length === 0
    ? kept
    : { ...kept, ...Object.fromEntries(leaks.map((field) => [field, undefined])) };
}

/** Fields in which a page can repeat the content of a masked field. */
const TEXTS = [
  'name',
  'description',
  'value',
  'valueText',
  'placeholder',
  'roleDescription',
  'keyShortcuts',
] as const;

/**
 * Removes the content of a masked field. A user who may not write into the field receives its role and name,
 * but not its content.
 */
function withoutContent({ id, role, name, focusable, disabled, editable }: AccessibleNode): AccessibleNode {
  return {
    ...{ id, role, children: [] },
    ...(name !== undefined && { name }),
    ...(editable && { editable }),
    ...(focusable && { focusable }),
    disabled: disabled ?? true,
  };
}
