import type {
  AccessibilityAct,
  AccessibilityState,
  AccessibilityUpdate,
  AccessibleNode,
} from '../../protocol/index.js';
import { Emitter } from '../emitter.js';
import { CallTimeoutError } from '../errors.js';
import type { Remote } from './remote.js';

/** Receives changes of the tree. The first call contains all nodes that are known at that time. */
export type AccessibilityListener = (update: AccessibilityUpdate) => void;

const TREES = new WeakMap<Remote, AccessibilityTree>();

/** Returns the accessibility tree of a client. Each client has one. */
export function treeOf(remote: Remote): AccessibilityTree {
  const tree = TREES.get(remote) ?? new AccessibilityTree(remote);
  TREES.set(remote, tree);
  return tree;
}

/**
 * The accessibility tree of the remote page in the active tab, for assistive technology. The tree is
 * available only while it has a listener. Like input, all actions need control. They reject as `remote.call`
 * does, for example with `err_node_gone` if the node does not exist any more.
 */
export class AccessibilityTree {
  #nodes = new Map<number, AccessibleNode>();
  #root: number | undefined;
  #focus: number | undefined;
  #state: AccessibilityState = 'none';
  readonly #changes = new Emitter<{ update: [update: AccessibilityUpdate] }>();

  /** @internal */
  constructor(private readonly remote: Remote) {}

  /** The known nodes by id. */
  get nodes(): ReadonlyMap<number, AccessibleNode> {
    return this.#nodes;
  }

  /** The root node, which is the page itself. */
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

  /** Adds a listener, which stays across reconnects. Returns a function that removes the listener. */
  watch(listener: AccessibilityListener): () => void {
    if (this.#changes.listenerCount('update') === 0) this.#subscribe();
    else listener(this.#all());
    this.#changes.on('update', listener);
    return () => {
      if (this.#changes.off('update', listener).listenerCount('update') > 0) return;
      this.remote.unsubscribe('accessibility.onUpdate', this.#take);
      this.#forget();
    };
  }

  /** Clicks a node, with the pointer if it can reach the node, otherwise by script. */
  click(node: number): Promise<void> {
    return this.#act(node, 'click');
  }

  /** Gives a node the focus. */
  focus(node: number): Promise<void> {
    return this.#act(node, 'focus');
  }

  /** Scrolls a node into view. */
  scrollIntoView(node: number): Promise<void> {
    return this.#act(node, 'scroll');
  }

  /** Sets the text of a field, the selected option of a list (by its name), or the number of a slider. */
  setValue(node: number, value: string): Promise<void> {
    return this.#act(node, 'set', value);
  }

  #subscribe(): void {
    // Without a connection, the subscription is sent with the next connection.
    this.remote.subscribe('accessibility.onUpdate', this.#take).catch((error: unknown) => {
      // Retries only after a timeout. A refusal is final, because it comes from an older session without this
      // tree.
      const retry = error instanceof CallTimeoutError && this.#changes.listenerCount('update') > 0;
      if (retry) this.#subscribe();
    });
  }

  readonly #take = (update: AccessibilityUpdate): void => {
    if (update.reset) this.#nodes.clear();
    for (const id of update.removed) this.#nodes.delete(id);
    for (const node of update.nodes) this.#nodes.set(node.id, node);
    this.#root = update.root ?? undefined;
    this.#focus = update.focus ?? undefined;
    this.#state = update.state;
    this.#changes.emit('update', update);
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
