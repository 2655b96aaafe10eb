/**
 * Trees that pages close to scripts. The host opens them to this script, see `openClosedTree` of the host.
 */
const opened = new WeakMap<Element, ShadowRoot>();
/**
 * Times at which the host found that an element has no closed tree, on this page's clock. A page may add one
 * at any time.
 */
const plain = new WeakMap<Element, number>();
const PLAIN_FOR_MS = 2_000;

/**
 * Elements that can have a shadow tree, in addition to custom elements. Source: DOM Standard, "valid shadow
 * host name".
 */
const HOSTS = /^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/;

/** Returns the tree of an element, if it is known. */
export function treeOf(element: Element): ShadowRoot | undefined {
  return element.shadowRoot ?? opened.get(element);
}

/** True for a custom element. */
export function isCustom(element: Element): boolean {
  return element.localName.includes('-');
}

/** True if the element may have a tree that is not known. */
export function mayHide(element: Element): boolean {
  return canHide(element) && plainFor(element) > PLAIN_FOR_MS;
}

/** True if the knowledge of an element's tree will soon be too old. */
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

/**
 * Returns the element around this one as it is rendered: slots included, and frames whose content this script
 * can access.
 */
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

/** Returns the element with the focus, inside shadow trees too. */
export function deepFocus(): Element | undefined {
  let found = document.activeElement ?? undefined;
  for (let tree = found && treeOf(found); tree?.activeElement; tree = treeOf(tree.activeElement))
    found = tree.activeElement;
  return found;
}

/** Returns the element at a position in the frame, in CSS pixels. */
export function deepAt(x: number, y: number): Element | undefined {
  let found = document.elementFromPoint(x, y);
  while (found) {
    const tree = treeOf(found);
    const inner = tree?.elementFromPoint(x, y);
    // If a tree has nothing at a position, it returns an element around it.
    if (!inner || inner.getRootNode() !== tree) break;
    found = inner;
  }
  return found ?? undefined;
}
