import type { AccessibilityState, AccessibilityUpdate, AccessibleNode } from 'cloud-browser/protocol';
import type { LiveTree } from '../../browser/accessibility/live-tree.js';
import type { TreeNode } from '../../browser/accessibility/nodes/tree-node.js';
import { readableNode } from '../../browser/accessibility/readable-node.js';
import { Secrets } from '../../browser/accessibility/secrets.js';

/**
 * Approximate maximum length of a message, in characters. A larger update is split into several messages, so
 * that video frames can be sent between them.
 */
const MESSAGE_CHARS = 48_000;
/** Maximum number of removed nodes in one message. If there are more, the whole tree is sent again. */
const MAX_REMOVED = 5_000;

/**
 * Tracks the tree changes that one viewer still has to receive. Each node is sent once, even if it has
 * changed several times.
 */
export class TreeReporter {
  readonly #changed = new Set<number>();
  readonly #removed = new Set<number>();
  #reset = true;
  #last = '';

  /** Makes the next update send the whole tree again. */
  reset(): void {
    this.#reset = true;
    this.#changed.clear();
    this.#removed.clear();
  }

  changed({ id }: TreeNode): void {
    if (!this.#reset) this.#changed.add(id);
  }

  removed(id: number): void {
    if (this.#reset) return;
    this.#changed.delete(id);
    this.#removed.add(id);
    if (this.#removed.size > MAX_REMOVED) this.reset();
  }

  /** True if more changes wait after {@link next}. */
  get waits(): boolean {
    return this.#reset || this.#changed.size > 0 || this.#removed.size > 0;
  }

  /**
   * Returns the next part of the changes. Returns undefined if there are no changes.
   *
   * @param mayWrite true if this viewer may read the content of masked fields
   */
  next(
    tree: LiveTree | undefined,
    state: AccessibilityState,
    mayWrite: boolean,
  ): AccessibilityUpdate | undefined {
    const reset = this.#reset;
    if (reset && tree) for (const { id } of tree.shown()) this.#changed.add(id);
    this.#reset = false;
    const secrets = tree && !mayWrite && tree.secrets.size > 0 ? new Secrets(tree) : undefined;
    const nodes: AccessibleNode[] = [];
    let room = MESSAGE_CHARS;
    for (const id of this.#changed) {
      const node = tree?.node(id);
      const told = node && tree && !node.ignored ? readableNode(tree, node, secrets) : undefined;
      const size = told ? JSON.stringify(told).length : 0;
      if (nodes.length > 0 && size > room) break;
      room -= size;
      this.#changed.delete(id);
      if (told) nodes.push(told);
    }
    const removed = [...this.#removed];
    this.#removed.clear();
    const root = shownRoot(tree);
    const rest = {
      state: this.#changed.size > 0 ? 'reading' : state,
      root,
      focus: tree?.focus?.id ?? null,
    } as const;
    const now = JSON.stringify(rest);
    if (!reset && nodes.length === 0 && removed.length === 0 && now === this.#last) return undefined;
    this.#last = now;
    return { ...(reset && { reset }), ...rest, nodes, removed };
  }
}

function shownRoot(tree: LiveTree | undefined): number | null {
  const root = tree?.root;
  return root && !root.ignored ? root.id : null;
}
