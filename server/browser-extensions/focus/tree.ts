/** Trees that pages close to scripts; the host opens them to this one, see `ClosedTrees` of the host. */
const opened = new WeakMap<Element, ShadowRoot>();
/** Elements of which the host knows that they have no such tree. */
const plain = new WeakSet<Element>();

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
  if (treeOf(element) ?? plain.has(element)) return false;
  return isCustom(element) || HOSTS.test(element.localName);
}

export function opens(root: ShadowRoot): void {
  opened.set(root.host, root);
}

export function isPlain(element: Element): void {
  plain.add(element);
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
