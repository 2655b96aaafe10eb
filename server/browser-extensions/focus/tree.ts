/** Trees that pages close to scripts; the host opens them to this one, see `ClosedTrees` of the host. */
const opened = new WeakMap<Element, ShadowRoot>();
/** When the host has seen that an element has no such tree, by this page's clock. A page may give it one at any time. */
const plain = new WeakMap<Element, number>();
const PLAIN_FOR_MS = 2_000;

/** Elements besides custom ones that can have a tree of their own. Source: DOM Standard, "valid shadow host name". */
const HOSTS = /^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/;

/** The tree of an element, if it is known. */
export function treeOf(element: Element): ShadowRoot | undefined {
  return element.shadowRoot ?? opened.get(element);
}

/** Whether the element is one that pages define. */
export function isCustom(element: Element): boolean {
  return element.localName.includes('-');
}

/** Whether the element may have a tree that is not known. */
export function mayHide(element: Element): boolean {
  return canHide(element) && plainFor(element) > PLAIN_FOR_MS;
}

/** Whether what is known of the element is soon too old. */
export function fades(element: Element): boolean {
  return canHide(element) && plainFor(element) > PLAIN_FOR_MS / 2;
}

function canHide(element: Element): boolean {
  return !treeOf(element) && (isCustom(element) || HOSTS.test(element.localName));
}

function plainFor(element: Element): number {
  return performance.now() - (plain.get(element) ?? -Infinity);
}

export function opens(root: ShadowRoot): void {
  opened.set(root.host, root);
}

export function isPlain(element: Element): void {
  plain.set(element, performance.now());
}

/** The element around this one as it is shown: slots included, and frames whose content this script can reach. */
export function parentOf(element: Element): Element | undefined {
  const around = element.assignedSlot ?? element.parentElement;
  if (around) return around;
  const root = element.getRootNode();
  if (root instanceof ShadowRoot) return root.host;
  try {
    return element.ownerDocument.defaultView?.frameElement ?? undefined;
  } catch {
    return undefined;
  }
}

/** The element with the focus, in the trees of the elements that have one. */
export function deepFocus(): Element | undefined {
  let found = document.activeElement ?? undefined;
  for (let tree = found && treeOf(found); tree?.activeElement; tree = treeOf(tree.activeElement))
    found = tree.activeElement;
  return found;
}

/** The element at a place of the frame, in CSS pixels. */
export function deepAt(x: number, y: number): Element | undefined {
  let found = document.elementFromPoint(x, y);
  while (found) {
    const tree = treeOf(found);
    const inner = tree?.elementFromPoint(x, y);
    // A tree answers with what is around it where it has nothing itself.
    if (!inner || inner.getRootNode() !== tree) break;
    found = inner;
  }
  return found ?? undefined;
}
