import type { Masks } from './masks.js';
import { treeOf } from './tree.js';

/**
 * True if a masked element is in the selected part of the page. A copy of that part would contain it. The
 * text that is selected inside a field is not a part of the page.
 */
export function selectsMasked(masks: Masks): boolean {
  const selection = getSelection();
  if (!selection || selection.type !== 'Range') return false;
  const shadowRoots = [...treesIn(document)];
  return selection.getComposedRanges({ shadowRoots }).some((range) => containsMasked(range, masks));
}

function containsMasked(range: StaticRange, masks: Masks): boolean {
  const { startContainer, startOffset, endContainer, endOffset } = range;
  for (const node of [startContainer, endContainer]) {
    const element = node instanceof Element ? node : node.parentElement;
    if (element && masks.covers(element)) return true;
  }
  const root = startContainer.getRootNode();
  const isScope = root instanceof Document || root instanceof ShadowRoot;
  // A selection across the border of a shadow tree cannot be compared with elements. It is rare.
  if (!isScope || root !== endContainer.getRootNode()) return anyMasked(document, masks);
  const live = document.createRange();
  live.setStart(startContainer, startOffset);
  live.setEnd(endContainer, endOffset);
  return anyMasked(root, masks, (element) => live.intersectsNode(element));
}

/** True if a tree, or one inside it, has a masked element. `counts` is for elements of the tree itself. */
function anyMasked(
  root: Document | ShadowRoot,
  masks: Masks,
  counts: (element: Element) => boolean = () => true,
): boolean {
  for (const element of root.querySelectorAll('*')) {
    if (!counts(element)) continue;
    if (masks.matches(element)) return true;
    const tree = treeOf(element);
    if (tree && anyMasked(tree, masks)) return true;
  }
  return false;
}

/** The known shadow trees of a document, and those inside them. */
function* treesIn(root: Document | ShadowRoot): Iterable<ShadowRoot> {
  for (const element of root.querySelectorAll('*')) {
    const tree = treeOf(element);
    if (!tree) continue;
    yield tree;
    yield* treesIn(tree);
  }
}
