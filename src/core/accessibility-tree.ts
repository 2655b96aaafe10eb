import type {
  AccessibilityAct,
  AccessibilityState,
  AccessibilityUpdate,
  AccessibleNode,
} from '../protocol/index.js';
import type { Remote } from './remote.js';

/** Told what has changed; first all that is known. */
export type AccessibilityListener = (update: AccessibilityUpdate) => void;

const TREES = new WeakMap<Remote, AccessibilityTree>();

/** The accessibility tree of a client; one for each. */
export function treeOf(remote: Remote): AccessibilityTree {
  const tree = TREES.get(remote) ?? new AccessibilityTree(remote);
  TREES.set(remote, tree);
  return tree;
}

/**
 * What assistive technology is told of the remote page in front, and can do to it. Known only while somebody listens. All that acts needs
 * control, as input does: rejects as `remote.call`, with `err_node_gone` where the node is not there any more.
 */
export class AccessibilityTree {
  #nodes = new Map<number, AccessibleNode>();
  #root: number | undefined;
  #focus: number | undefined;
  #state: AccessibilityState = 'none';
  readonly #listeners = new Set<AccessibilityListener>();

  /** @internal */
  constructor(private readonly remote: Remote) {}

  /** The nodes that are known, by their numbers. */
  get nodes(): ReadonlyMap<number, AccessibleNode> {
    return this.#nodes;
  }

  /** The outermost node, the page itself. */
  get root(): AccessibleNode | undefined {
    return this.#root === undefined ? undefined : this.#nodes.get(this.#root);
  }

  /** The node that has the focus on the page. */
  get focused(): AccessibleNode | undefined {
    return this.#focus === undefined ? undefined : this.#nodes.get(this.#focus);
  }

  get state(): AccessibilityState {
    return this.#state;
  }

  /** Listens from now on, over reconnects too. What it returns ends that. */
  watch(listener: AccessibilityListener): () => void {
    if (this.#listeners.size === 0)
      // Without a connection it is asked for with the next one.
      this.remote.subscribe('accessibility.onUpdate', this.#take).catch(() => undefined);
    else listener(this.#all());
    this.#listeners.add(listener);
    return () => {
      if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return;
      this.remote.unsubscribe('accessibility.onUpdate', this.#take);
      this.#forget();
    };
  }

  /** Clicks a node, with the pointer where that reaches it. */
  click(node: number): Promise<void> {
    return this.#act(node, 'click');
  }

  /** Gives a node the focus. */
  focus(node: number): Promise<void> {
    return this.#act(node, 'focus');
  }

  /** Brings a node into view. */
  scrollIntoView(node: number): Promise<void> {
    return this.#act(node, 'scroll');
  }

  /** Gives a field another text, a list the option that is called so, or a slider a number. */
  setValue(node: number, value: string): Promise<void> {
    return this.#act(node, 'set', value);
  }

  readonly #take = (update: AccessibilityUpdate): void => {
    if (update.reset) this.#nodes.clear();
    for (const id of update.removed) this.#nodes.delete(id);
    for (const node of update.nodes) this.#nodes.set(node.id, node);
    this.#root = update.root ?? undefined;
    this.#focus = update.focus ?? undefined;
    this.#state = update.state;
    for (const listener of [...this.#listeners]) listener(update);
  };

  #act(node: number, act: AccessibilityAct, value?: string): Promise<void> {
    return this.remote.call('accessibility.act', value === undefined ? [node, act] : [node, act, value]);
  }

  #all(): AccessibilityUpdate {
    const [root, focus] = [this.#root ?? null, this.#focus ?? null];
    return { reset: true, state: this.#state, root, focus, nodes: [...this.#nodes.values()], removed: [] };
  }

  #forget(): void {
    this.#nodes.clear();
    this.#root = this.#focus = undefined;
    this.#state = 'none';
  }
}
