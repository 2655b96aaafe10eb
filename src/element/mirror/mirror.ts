import type { AccessibilityTree } from '../../core/index.js';
import type { AccessibilityUpdate, AccessibleNode } from '../../protocol/index.js';
import { describe, makeElement, tagOf, type NodeElement } from './node-element.js';
import { LivePace } from './live-pace.js';
import type { MirrorHost } from './mirror-host.js';
import { MirrorActions } from './mirror-actions.js';

/** Maximum time to block the page at once, in milliseconds. The next frame continues the work. */
const SLICE_MS = 8;
/** Maximum number of mirrored elements. Further nodes become empty texts. */
const MAX_ELEMENTS = 20_000;
/** Maximum number of ancestors that are searched for a live region. */
const MAX_DEPTH = 300;

interface Mirrored {
  tag: string;
  element: NodeElement;
}

/**
 * Mirrors the remote page for users who cannot see the picture. Renders its accessibility tree as local
 * elements and sends the user's actions on them to the page.
 */
export class Mirror {
  readonly #elements = new Map<number, Mirrored>();
  readonly #ids = new WeakMap<Node, number>();
  readonly #due = new Set<number>();
  /** Parent of each node. */
  readonly #around = new Map<number, number>();
  readonly #live = new LivePace((ids) => this.#mirrorSoon(ids));
  readonly #actions: MirrorActions;
  readonly #notice = document.createElement('p');
  readonly #stop: () => void;
  #frame = 0;

  /** Starts to mirror a page. */
  constructor(
    private readonly tree: AccessibilityTree,
    private readonly host: MirrorHost,
  ) {
    this.#notice.setAttribute('role', 'status');
    host.container.replaceChildren(this.#notice);
    this.#actions = new MirrorActions(
      tree,
      host,
      (target) => this.#nodeOf(target),
      () => this.#followFocus(),
    );
    this.#stop = tree.watch((update) => this.#take(update));
  }

  close(): void {
    this.#stop();
    this.#actions.close();
    this.#live.close();
    cancelAnimationFrame(this.#frame);
    this.host.container.replaceChildren();
  }

  #take(update: AccessibilityUpdate): void {
    const first = update.reset === true || this.#elements.size === 0;
    if (update.reset) {
      this.#elements.clear();
      this.#around.clear();
      this.#due.clear();
      this.#live.clear();
      this.host.container.replaceChildren(this.#notice);
    }
    for (const id of update.removed) {
      this.#elements.get(id)?.element.remove();
      this.#elements.delete(id);
      this.#around.delete(id);
      this.#due.delete(id);
    }
    for (const { id, children } of update.nodes) for (const child of children) this.#around.set(child, id);
    const [spoken, silent] = [new Set<number>(), new Set<number>()];
    for (const { id } of update.nodes) {
      (!first && this.#isLive(id) ? spoken : silent).add(id);
      // The parent may have arrived earlier and been mirrored without this child.
      const around = this.#elements.has(id) ? undefined : this.#around.get(id);
      if (around !== undefined) (spoken.has(id) ? spoken : silent).add(around);
    }
    this.#live.take(spoken);
    this.#mirrorSoon(silent);
    const said = update.state === 'silent' ? this.host.silent : '';
    if (this.#notice.textContent !== said) this.#notice.textContent = said;
    this.#wake();
  }

  #mirrorSoon(ids: ReadonlySet<number>): void {
    for (const id of ids) this.#due.add(id);
    this.#wake();
  }

  #wake(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#render());
  }

  #render(): void {
    this.#frame = 0;
    const until = performance.now() + SLICE_MS;
    for (const id of this.#due) {
      this.#due.delete(id);
      const node = this.tree.nodes.get(id);
      if (node) this.#update(node, until);
      if (performance.now() > until) break;
    }
    const root = this.tree.root && this.#elements.get(this.tree.root.id)?.element;
    if (root && root.parentNode !== this.host.container) this.host.container.append(root);
    if (this.#due.size > 0) this.#wake();
    else this.#followFocus();
  }

  #update(node: AccessibleNode, until: number): void {
    if (node.role === 'MenuListPopup') {
      // The popup contains the options of a drop-down list, so the list is updated.
      const list = this.#nodeAround(node.id);
      if (list?.role === 'combobox') this.#due.add(list.id);
      return;
    }
    const inside = node.children.flatMap((id) => this.tree.nodes.get(id) ?? []);
    const { element } = this.#mirrored(node, inside);
    describe(element, node, {
      inOwn: this.#actions.edits(element),
      inLive: this.#isLive(this.#around.get(node.id)),
    });
    if (
      element instanceof Text ||
      element instanceof HTMLInputElement ||
      element instanceof HTMLTextAreaElement
    )
      return;
    const children = element instanceof HTMLSelectElement ? this.#optionsOf(inside) : inside;
    let there = element.firstChild;
    for (const child of children) {
      // There may be thousands of children. The next frame continues.
      if (!this.#elements.has(child.id) && performance.now() > until) {
        this.#due.add(node.id);
        return;
      }
      const wanted = this.#mirrored(child).element;
      // The call above replaced `there` with an element of another type.
      if (there && there.parentNode !== element) there = wanted;
      if (there === wanted) there = there.nextSibling;
      else element.insertBefore(wanted, there);
    }
    while (there) {
      const next: ChildNode | null = there.nextSibling;
      there.remove();
      there = next;
    }
    if (element instanceof HTMLSelectElement) for (const child of children) this.#due.add(child.id);
  }

  /** Returns the options of a drop-down list, including those in groups. */
  #optionsOf(inside: readonly AccessibleNode[]): AccessibleNode[] {
    return inside.flatMap((child) => {
      if (child.role === 'option') return [child];
      const deeper = child.children.flatMap((id) => this.tree.nodes.get(id) ?? []);
      return this.#optionsOf(deeper);
    });
  }

  #mirrored(node: AccessibleNode, inside?: readonly AccessibleNode[]): Mirrored {
    const known = this.#elements.get(node.id);
    const tag =
      inside || !known
        ? this.#tagOf(node, inside ?? node.children.flatMap((id) => this.tree.nodes.get(id) ?? []))
        : known.tag;
    if (known?.tag === tag) return known;
    const made: Mirrored = {
      tag,
      element: this.#elements.size < MAX_ELEMENTS ? makeElement(tag) : new Text(),
    };
    this.#elements.set(node.id, made);
    this.#ids.set(made.element, node.id);
    this.#due.add(node.id);
    known?.element.replaceWith(made.element);
    return made;
  }

  #tagOf(node: AccessibleNode, inside: readonly AccessibleNode[]): string {
    return node.role === 'option' && node.focusable && this.#isInList(node) ? 'option' : tagOf(node, inside);
  }

  /**
   * Returns true if an option is in a drop-down list. An option of a list box that is always open becomes an
   * element of its own, which the user presses.
   */
  #isInList({ id }: AccessibleNode): boolean {
    return this.#nodeAround(id)?.role === 'MenuListPopup';
  }

  #nodeAround(id: number): AccessibleNode | undefined {
    const around = this.#around.get(id);
    return around === undefined ? undefined : this.tree.nodes.get(around);
  }

  /** Returns true if screen readers announce changes of a node, because the node is in a live region. */
  #isLive(id: number | undefined): boolean {
    let at = id;
    for (let depth = 0; at !== undefined && depth < MAX_DEPTH; depth++) {
      if (this.tree.nodes.get(at)?.live) return true;
      at = this.#around.get(at);
    }
    return false;
  }

  #nodeOf(target: EventTarget | null): AccessibleNode | undefined {
    let at = target instanceof Node ? target : null;
    for (; at && at !== this.host.container; at = at.parentNode) {
      const id = this.#ids.get(at);
      const node = id === undefined ? undefined : this.tree.nodes.get(id);
      if (node && !(at instanceof Text)) return node;
    }
    return undefined;
  }

  /**
   * Follows the focus of the remote page if the local focus is in the mirror. Otherwise leaves the local
   * focus alone.
   */
  #followFocus(): void {
    const { focused } = this.tree;
    const element = focused && this.#elements.get(focused.id)?.element;
    if (element instanceof HTMLElement) this.#actions.follow(element);
  }
}
