import type { CdpSession } from '../cdp/cdp-session.js';
import type { LiveTree } from './live-tree.js';
import { isField, isWhole, readField, type Masks } from './read-field.js';
import type { ReadNode } from './read-node.js';
import type { TreeNode } from './tree-node.js';

/** Fields of which the elements are asked at once. */
const FIELDS = 50;

/** What the browser has answered. */
export interface Answer {
  session: CdpSession;
  /** All of it is inside of this. */
  around: TreeNode | undefined;
  /** The frame in which it is. */
  frame: string | undefined;
  /** What a node is in; undefined: it is not to be taken, unless it is the first. */
  ownerOf: (read: ReadNode) => TreeNode | undefined;
}

/** Takes over into a tree what answers say. */
export class AnswerTaker {
  /** @param onTaken told of each node that was taken */
  constructor(
    private readonly tree: LiveTree,
    private readonly masks: Masks | undefined,
    private readonly isClosed: () => boolean,
    private readonly onTaken: (node: TreeNode) => void,
  ) {}

  /**
   * Takes over the nodes of an answer, the outermost first; those that were taken. What is around all of them is brought into its order by
   * who asked. Rejects with `CdpError`.
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

  /** Brings what is inside of nodes into its order, and forgets what was taken and is not there. */
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
