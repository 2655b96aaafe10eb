import { callOnElement } from './element-world.js';
import { READ_TIMEOUT_MS } from '../reading/read-answers.js';
import type { TreeNode } from './tree-node.js';

/** Number of elements inside an element. */
export interface ElementCount {
  all: number;
  /** Number of elements in the child that contains the most elements. The child itself is counted too. */
  most: number;
}

/** Counts the elements inside a node's element, without those in shadow trees. Rejects with `CdpError`. */
export async function countElements(node: TreeNode): Promise<ElementCount | undefined> {
  const said = await callOnElement(node, COUNT, { timeoutMs: READ_TIMEOUT_MS });
  if (!Array.isArray(said)) return undefined;
  const [all, most] = said as readonly unknown[];
  return Number.isSafeInteger(all) && Number.isSafeInteger(most)
    ? { all: Number(all), most: Number(most) }
    : undefined;
}

const COUNT = `function () {
  const inside = (element) => element.getElementsByTagName('*').length;
  let most = 0;
  for (const child of this.children ?? []) most = Math.max(most, inside(child) + 1);
  return [this.getElementsByTagName ? inside(this) : 0, most];
}`;
