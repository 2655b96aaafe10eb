import type { CdpSession } from '../../cdp/cdp-session.js';
import type { LiveTree } from '../live-tree.js';
import { isField, isWhole, readField, type Masks } from '../reading/read-field.js';
import type { ReadNode } from '../reading/read-node.js';
import type { TreeNode } from './tree-node.js';

/** Number of fields whose elements are read at the same time. */
const FIELDS = 50;

/** Context of an answer from the browser. */
export interface Answer {
  session: CdpSession;
  /** Node that contains all nodes of the answer. */
  around: TreeNode | undefined;
  /** Frame that contains the nodes. */
  frame: string | undefined;
  /**
   * Returns the parent of a node. A node without a parent is skipped, except the first node of the answer.
   */
  ownerOf: (read: ReadNode) => TreeNode | undefined;
}

/** Stores answers in a tree. */
export class NodeWriter {
  /** @param onTaken called with each stored node */
  constructor(
    private readonly tree: LiveTree,
    private readonly masks: Masks | undefined,
    private readonly isClosed: () => boolean,
    private readonly onTaken: (node: TreeNode) => void,
  ) {}

  /**
   * Stores the nodes of an answer, outermost first, and returns the stored ones. Sorts their children. The
   * caller must sort the children of `around`. Rejects with `CdpError`.
   */
  async take(reads: readonly ReadNode[], { session, around, frame, ownerOf }: Answer): Promise<TreeNode[]> {
    const secrets: boolean[] = [];
    for (let start = 0; start < reads.length; start += FIELDS) {
      const asked = reads.slice(start, start + FIELDS).map((read) => this.#isSecret(session, read, frame));
      secrets.push(...(await Promise.all(asked)));
    }
    if (this.isClosed() || (around && !this.isThere(around))) return [];
    const taken: TreeNode[] = [];
    for (const [index, read] of reads.entries()) {
      const owner = ownerOf(read);
      if (!owner && index > 0) continue;
      const leaf = isWhole(read);
      if (leaf) read.inside = [];
      const secret = secrets[index] ?? true;
      const node = this.tree.take(session, read, owner, { frame, secret, leaf });
      if (!node) continue;
      taken.push(node);
      this.onTaken(node);
    }
    const owners = new Set(taken.flatMap(({ parent }) => parent ?? []));
    if (around) owners.delete(around);
    this.arrange(
      owners,
      taken.filter(({ parent }) => parent !== around),
    );
    return taken.filter((node) => this.isThere(node));
  }

  /** Sorts the children of nodes. Forgets stored nodes that their parent no longer contains. */
  arrange(nodes: Iterable<TreeNode>, taken: Iterable<TreeNode>): void {
    if (this.isClosed()) return;
    for (const node of nodes) if (this.isThere(node)) this.tree.arrange(node);
    this.tree.forgetStrays(taken);
  }

  isThere(node: TreeNode): boolean {
    return this.tree.node(node.id) === node;
  }

  async #isSecret(session: CdpSession, read: ReadNode, frame: string | undefined): Promise<boolean> {
    if (!isField(read)) return false;
    return (await readField(session, read, frame, this.masks)).secret;
  }
}
