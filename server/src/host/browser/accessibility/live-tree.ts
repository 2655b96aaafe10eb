import type { AccessibleNode } from 'cloud-browser/protocol';
import type { CdpSession } from '../cdp/cdp-session.js';
import { sizeOf, withoutTexts, type NodeFacts, type ReadNode } from './reading/read-node.js';
import type { TreeNode } from './nodes/tree-node.js';
import { shownAround, shownInside } from './nodes/node-walks.js';
import { SecretFields } from './secret-fields.js';
import { MAX_CHARS, MAX_DEPTH, MAX_NODES } from './tree-limits.js';

/**
 * Receiver of changes. `changed` is called for a node that is new, that has changed, or that has received the
 * focus. If no node has the focus any more, `changed` is called for the root.
 */
export interface TreeChanges {
  changed(node: TreeNode): void;
  removed(node: TreeNode): void;
}

/** The part of a page's accessibility tree that was already read, including all frames. */
export class LiveTree {
  root: TreeNode | undefined;
  focus: TreeNode | undefined;
  readonly #byId = new Map<number, TreeNode>();
  readonly #byKey = new Map<string, TreeNode>();
  readonly secrets = new SecretFields();
  #chars = 0;
  #nextId: number;

  /** @param firstId first id for new nodes, larger than every id that was used before */
  constructor(
    private readonly changes: TreeChanges,
    firstId = 1,
  ) {
    this.#nextId = firstId;
  }

  /** First id for the next tree's nodes. */
  get nextId(): number {
    return this.#nextId;
  }

  get size(): number {
    return this.#byId.size;
  }

  node(id: number): TreeNode | undefined {
    return this.#byId.get(id);
  }

  of(session: CdpSession, key: number): TreeNode | undefined {
    return this.#byKey.get(keyOf(session, key));
  }

  /**
   * Returns all shown nodes, which are the nodes that are not ignored. They are in the order in which they
   * were first read. So an outer node mostly comes before the nodes inside it.
   */
  *shown(): Iterable<TreeNode> {
    for (const node of this.#byId.values()) if (!node.ignored) yield node;
  }

  /**
   * Stores a node as it was read. Returns undefined if the tree has no room for the node, or if the node is
   * too deep.
   */
  take(
    session: CdpSession,
    read: ReadNode,
    parent: TreeNode | undefined,
    { frame, secret, leaf }: Pick<TreeNode, 'frame' | 'secret' | 'leaf'>,
  ): TreeNode | undefined {
    const known = this.of(session, read.key);
    const tooDeep = parent !== undefined && parent.depth >= MAX_DEPTH;
    if (tooDeep || (!known && this.#byId.size >= MAX_NODES)) return undefined;
    const node = known ?? this.#add(session, read.key, parent);
    if (parent) this.#adopt(parent, node);
    if (!parent && !this.root) this.root = node;
    const wasIgnored = known?.ignored;
    const before = known && JSON.stringify([node.facts, node.ignored, node.active, node.secret]);
    const { ignored, active } = read;
    const facts = this.#fitted(node, read.facts);
    this.secrets.changes(node, facts.value);
    Object.assign(node, { facts, ignored, active, frame, secret, leaf });
    if (secret) this.secrets.add(node);
    else this.secrets.forget(node);
    if (JSON.stringify([node.facts, node.ignored, node.active, node.secret]) !== before) this.touch(node);
    // If a node becomes ignored, the parent shows the node's children instead. If the node is shown again,
    // the parent shows the node. So the parent changes in both cases.
    if (known && wasIgnored !== ignored && node.parent) this.touch(node.parent);
    if (read.focused && read.facts.role !== 'RootWebArea') this.#focus(node);
    else if (!read.focused && this.focus === node) this.#focus(undefined);
    node.order = node.leaf || node.depth >= MAX_DEPTH ? [] : read.inside;
    this.arrange(node);
    return this.#byId.has(node.id) ? node : undefined;
  }

  /**
   * Returns the keys of a node's children that were not read yet. Returns at most as many keys as the tree
   * has room for.
   */
  unknownIn({ session, order }: TreeNode): number[] {
    const room = Math.max(0, MAX_NODES - this.#byId.size);
    return order.filter((key) => !this.of(session, key)).slice(0, room);
  }

  /** Returns the root nodes of a frame that has its own process. */
  rootsOf(session: CdpSession): TreeNode[] {
    return [...this.#byId.values()].filter(
      (node) => node.session === session && node.parent?.session !== session,
    );
  }

  /**
   * Reports that a node or its children changed. If the node is ignored, reports the nearest shown node
   * around it.
   */
  touch(node: TreeNode): void {
    const shown = shownAround(node);
    if (shown) this.changes.changed(shown);
  }

  /** Sorts those children of a node that were already read. Forgets children that the node no longer has. */
  arrange(node: TreeNode): void {
    const { inside: before, order, session } = node;
    // The browser does not list a frame's document among the children of the frame element. So the document
    // must not be forgotten here.
    if (before.some((child) => child.facts.role === 'RootWebArea')) return;
    const known = order.flatMap((key) => this.of(session, key) ?? []);
    const all = known.filter((child) => this.#adopt(node, child));
    node.inside = all;
    const kept = new Set(all);
    for (const child of before) if (!kept.has(child) && child.parent === node) this.#forget(child);
    if (before.length !== all.length || before.some((child, index) => child !== all[index])) this.touch(node);
  }

  /** Forgets nodes that their parent does not contain any more. */
  forgetStrays(nodes: Iterable<TreeNode>): void {
    const kept = new Map<TreeNode, Set<TreeNode>>();
    for (const node of nodes) {
      const { parent } = node;
      if (!parent || this.#byId.get(node.id) !== node) continue;
      const inside = kept.get(parent) ?? new Set(parent.inside);
      if (!kept.has(parent)) kept.set(parent, inside);
      if (!inside.has(node)) this.#forget(node);
    }
  }

  /** Makes a frame's root the only child of the frame's element. */
  graft(owner: TreeNode, root: TreeNode): void {
    for (const other of [...owner.inside]) if (other !== root) this.remove(other);
    this.#adopt(owner, root);
    owner.inside = [root];
    this.touch(owner);
  }

  /** Removes a node with all its content. */
  remove(node: TreeNode): void {
    const { parent } = node;
    if (parent) parent.inside = parent.inside.filter((other) => other !== node);
    this.#forget(node);
    if (parent) this.touch(parent);
  }

  /**
   * Returns a node in the form that viewers receive.
   *
   * @param also returns true for an ignored node that is shown nevertheless
   */
  tell(node: TreeNode, also?: (node: TreeNode) => boolean): AccessibleNode {
    const active = node.active === undefined ? undefined : this.of(node.session, node.active);
    const { url: _url, ...facts } = node.facts;
    return {
      id: node.id,
      ...facts,
      ...(active && { active: active.id }),
      children: [...shownInside(node, also)].map(({ id }) => id),
    };
  }

  /**
   * Returns the facts to store for a node. If the texts of the whole tree would exceed {@link MAX_CHARS}, the
   * long texts of this node are removed.
   */
  #fitted(node: TreeNode, facts: NodeFacts): NodeFacts {
    const room = MAX_CHARS - (this.#chars - sizeOf(node.facts));
    const fitted = sizeOf(facts) <= room ? facts : withoutTexts(facts);
    this.#chars += sizeOf(fitted) - sizeOf(node.facts);
    return fitted;
  }

  #add(session: CdpSession, key: number, parent: TreeNode | undefined): TreeNode {
    const depth = parent ? parent.depth + 1 : 0;
    const facts = { role: 'generic' };
    const id = this.#nextId++;
    const own = { inside: [], order: [], active: undefined, frame: undefined, secret: false, leaf: false };
    const node: TreeNode = { id, session, key, depth, parent, facts, ignored: true, ...own };
    this.#byId.set(node.id, node);
    this.#byKey.set(keyOf(session, key), node);
    this.#chars += sizeOf(facts);
    return node;
  }

  /**
   * Makes a node the child of another node. Returns false if this would create a loop. Loops are possible
   * because the browser's answers are from different moments.
   */
  #adopt(parent: TreeNode, node: TreeNode): boolean {
    if (node.parent === parent) return true;
    for (let around: TreeNode | undefined = parent; around; around = around.parent)
      if (around === node) return false;
    const { parent: earlier } = node;
    if (earlier) {
      earlier.inside = earlier.inside.filter((other) => other !== node);
      this.touch(earlier);
    }
    node.parent = parent;
    this.#sink(node, parent.depth + 1);
    return true;
  }

  /** Sets the depth of a node and of all nodes inside it. Forgets nodes that are now too deep. */
  #sink(top: TreeNode, depth: number): void {
    top.depth = depth;
    const all = [top];
    for (let next = all.pop(); next; next = all.pop()) {
      if (next.depth >= MAX_DEPTH) {
        const { inside } = next;
        next.inside = [];
        next.order = [];
        for (const child of inside) if (child.parent === next) this.#forget(child);
      }
      for (const child of next.inside) {
        if (child.parent !== next) continue;
        child.depth = next.depth + 1;
        all.push(child);
      }
    }
  }

  #forget(node: TreeNode): void {
    const all = [node];
    for (let next = all.pop(); next; next = all.pop()) {
      all.push(...next.inside.filter(({ parent }) => parent === next));
      this.#byId.delete(next.id);
      this.#byKey.delete(keyOf(next.session, next.key));
      this.secrets.forget(next);
      this.#chars -= sizeOf(next.facts);
      if (this.focus === next) this.#focus(undefined);
      this.changes.removed(next);
    }
  }

  #focus(node: TreeNode | undefined): void {
    this.focus = node;
    if (node) this.changes.changed(node);
    else if (this.root) this.changes.changed(this.root);
  }
}

function keyOf({ id }: CdpSession, key: number): string {
  return `${id} ${key}`;
}
