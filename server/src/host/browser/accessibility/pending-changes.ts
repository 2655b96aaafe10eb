import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '../cdp/cdp-session.js';
import type { LiveTree } from './live-tree.js';
import type { TreeNode } from './nodes/tree-node.js';
import { answersOf } from './reading/read-answers.js';
import type { ReadNode } from './reading/read-node.js';
import type { ReadingLane } from './reading/reading-lane.js';
import { MAX_NODES } from './tree-limits.js';

/** Number of changes that are stored in one step. */
const STEP = 12;

/**
 * Buffers the changes that the browser reports, until they are stored in the accessibility tree. Keeps only
 * the newest change of each node. So a page that changes all the time does not use more and more memory.
 */
export class PendingChanges {
  readonly #news = new Map<TreeNode, ReadNode>();

  /** @param take stores a change; never rejects */
  constructor(
    private readonly tree: LiveTree,
    private readonly lane: ReadingLane,
    private readonly take: (known: TreeNode, read: ReadNode) => Promise<void>,
  ) {}

  /** Number of changes that are not stored yet. */
  get size(): number {
    return this.#news.size;
  }

  /** Buffers the browser's changes. Throws `HeavyPageError` if they contain too much text. */
  add(session: CdpSession, nodes: readonly Protocol.Accessibility.AXNode[]): void {
    const waited = this.#news.size > 0;
    for (const read of answersOf(nodes, MAX_NODES)) {
      const known = this.tree.of(session, read.key);
      if (known) this.#news.set(known, read);
    }
    if (!waited && this.#news.size > 0) this.lane.push(() => this.#step(), 'soon');
  }

  /** Removes the change of a node that is gone. */
  forget(node: TreeNode): void {
    this.#news.delete(node);
  }

  async #step(): Promise<void> {
    let left = STEP;
    for (const [known, read] of this.#news) {
      if (left-- === 0) break;
      this.#news.delete(known);
      await this.take(known, read);
    }
    if (this.#news.size > 0) this.lane.push(() => this.#step(), 'soon');
  }
}
