import type { LiveTree } from '../live-tree.js';
import { READ_TIMEOUT_MS } from '../reading/read-answers.js';
import { elementsFrom } from './element-world.js';
import type { TreeNode } from './tree-node.js';

/**
 * Maximum number of elements that are found in one document. Those in the viewport come first. Each costs one
 * request.
 */
const MAX_FOUND = 200;
/** Maximum number of documents that are searched: the page and its frames. */
const MAX_DOCUMENTS = 20;
/** Time after which the search in a document ends, in milliseconds. Meanwhile the page does not react. */
const SEARCH_MS = 150;
/** Maximum number of nodes inside an element that listens for itself. */
const MAX_INSIDE = 30;

/** Events that an element listens for if users press it. */
const PRESSES: ReadonlySet<string> = new Set(['click', 'mousedown', 'pointerdown']);
/**
 * Roles that say that the element can be clicked, and roles of fields. The text has their references anyway.
 */
const CLICKED: ReadonlySet<string> = new Set(
  (
    'button link checkbox radio switch tab option treeitem menuitem menuitemcheckbox menuitemradio combobox ' +
    'listbox textbox searchbox slider spinbutton ComboBoxSelect ComboBoxMenuButton TextFieldWithComboBox Date ' +
    'DateTime InputTime ColorWell ListBoxOption MenuListOption DisclosureTriangle DisclosureTriangleGrouped ' +
    'PopUpButton ToggleButton RootWebArea Iframe IframePresentational Video Audio'
  ).split(' '),
);

/**
 * Finds the elements that react to clicks, although their role does not say so. There are two signs. The
 * page shows a hand over the element: frameworks listen at the root of the page, so the browser does not know
 * which elements react. Or the element has a listener of its own. Documents that do not answer are left out.
 * Never rejects.
 */
export async function clickableElements(tree: LiveTree): Promise<ReadonlySet<TreeNode>> {
  const documents: TreeNode[] = [];
  for (const node of tree.shown())
    if (node.facts.role === 'RootWebArea' && documents.length < MAX_DOCUMENTS) documents.push(node);
  const outermost = documents.filter(({ session, parent }) => parent?.session !== session);
  const [hands, listeners] = await Promise.all([
    nodesOf(tree, documents, (document) => elementsFrom(document, FIND_CLICKABLE, READ_TIMEOUT_MS)),
    nodesOf(tree, outermost, listeningElements),
  ]);
  const clickable = new Set(hands.filter((node) => !isKnownByRole(node)));
  for (const node of listeners)
    if (!isKnownByRole(node) && listensForItself(node, clickable)) clickable.add(node);
  return clickable;
}

/** Returns the nodes that a search finds in documents. */
async function nodesOf(
  tree: LiveTree,
  documents: readonly TreeNode[],
  search: (document: TreeNode) => Promise<readonly number[]>,
): Promise<TreeNode[]> {
  const found = documents.map(async (document) => {
    const keys = await search(document).catch(() => []);
    return keys.flatMap((key) => tree.of(document.session, key) ?? []);
  });
  return (await Promise.all(found)).flat();
}

/**
 * Returns the keys of the elements with a listener for presses in a document, in its shadow trees, and in its
 * frames of the same process. Rejects with `CdpError`.
 */
async function listeningElements({ session, key }: TreeNode): Promise<readonly number[]> {
  // The object must be of the page's own world, because its listeners are there. It is not used otherwise.
  const { object } = await session.send('DOM.resolveNode', { backendNodeId: key }, READ_TIMEOUT_MS);
  const { objectId } = object;
  if (objectId === undefined) return [];
  try {
    const inside = { objectId, depth: -1, pierce: true };
    const { listeners } = await session.send('DOMDebugger.getEventListeners', inside, READ_TIMEOUT_MS);
    return listeners.flatMap(({ type, backendNodeId }) => (PRESSES.has(type) && backendNodeId) || []);
  } finally {
    session.post('Runtime.releaseObject', { objectId });
  }
}

/** True if the text has a reference for the node anyway, or if the node is part of an editor. */
function isKnownByRole(node: TreeNode): boolean {
  for (let around: TreeNode | undefined = node; around; around = around.parent)
    if (around.facts.editable !== undefined) return true;
  return isUsable(node);
}

function isUsable({ facts, ignored }: TreeNode): boolean {
  return !ignored && (facts.focusable === true || CLICKED.has(facts.role));
}

/**
 * True if an element with a listener is itself what users press. An element around other usable elements, or
 * around much of a page, listens for what is inside.
 */
function listensForItself(node: TreeNode, clickable: ReadonlySet<TreeNode>): boolean {
  const { parent } = node;
  // The elements `html` and `body`.
  for (const around of [parent, parent?.ignored ? parent.parent : undefined])
    if (around?.facts.role === 'RootWebArea') return false;
  const inside = [...node.inside];
  for (let count = 0; inside.length > 0; count++) {
    const next = inside.pop();
    if (!next || count === MAX_INSIDE || isUsable(next) || clickable.has(next)) return false;
    inside.push(...next.inside);
  }
  return true;
}

/**
 * Script that returns the outermost elements over which the pointer is a hand. It leaves out elements that
 * are links, buttons or fields.
 */
export const FIND_CLICKABLE = `function () {
  const USABLE = 'a[href], area[href], button, input, select, textarea, summary, option, optgroup, ' +
    'iframe, embed, object, audio[controls], video[controls], [contenteditable]';
  const usable = (element) => element.matches(USABLE) || element.control?.checkVisibility() === true;
  const shown = ({ visibility, pointerEvents }, box) =>
    visibility === 'visible' && pointerEvents !== 'none' && box.width > 0 && box.height > 0;
  const [near, far] = [[], []];
  const waiting = [[this.documentElement, false]];
  const end = performance.now() + ${SEARCH_MS};
  for (let count = 1; waiting.length > 0; count++) {
    if (count % 100 === 0 && performance.now() > end) break;
    const [element, inside] = waiting.pop();
    const style = getComputedStyle(element);
    if (style.display === 'none') continue;
    const hand = style.cursor === 'pointer';
    if (hand && !inside && element !== this.documentElement && element !== this.body && !usable(element)) {
      const box = element.getBoundingClientRect();
      const inView = box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
      if (shown(style, box)) (inView ? near : far).push(element);
    }
    const children = [...(element.shadowRoot?.children ?? []), ...element.children];
    for (const child of children.reverse()) waiting.push([child, hand]);
  }
  return [...near, ...far].slice(0, ${MAX_FOUND});
}`;
