import { NodeWriter, type Answer } from '../nodes/node-writer.js';
import { CdpError, type CdpSession } from '../../cdp/cdp-session.js';
import { countElements } from '../nodes/element-count.js';
import type { LiveTree } from '../live-tree.js';
import { askAlone, askFamily, askWhole } from '../nodes/node-questions.js';
import { countInside, everyInside } from '../nodes/node-walks.js';
import { HeavyPageError, ifGone, ifTooLarge } from './read-answers.js';
import type { Masks } from './read-field.js';
import type { ReadNode } from './read-node.js';
import type { StepTime } from './reading-lane.js';
import type { TreeNode } from '../nodes/tree-node.js';
import { viewFirst } from './view-first.js';

/**
 * Maximum number of nodes in a family that is requested at once. A family is all children of one node. The
 * browser can describe this number of nodes without delaying a rendered frame.
 */
const MAX_FAMILY = 250;
/** Maximum number of elements that one step may receive if elements are requested with all their content. */
const MAX_WHOLE = 120;
/**
 * The first value is the number of nodes per step if each node is requested alone. The second is the maximum
 * number per step if each node is requested with all its content.
 */
const [ALONE_STEP, WHOLE_STEP] = [6, 24];
/** Approximate number of times that the children of a node are sorted while a large family is read. */
const ARRANGED = 20;
/**
 * Roles of nodes that may contain most of a page. Such a node may contain thousands of ignored nodes, and the
 * browser would describe all of them in one answer.
 */
const WIDE: ReadonlySet<string> = new Set(
  (
    'RootWebArea table grid treegrid list main article form region generic group navigation complementary banner contentinfo ' +
    'application document feed tabpanel dialog Section'
  ).split(' '),
);

/**
 * Roles of fields whose new value the browser does not always report: a slider or a colour that a script
 * sets, a date or a time that a user types.
 */
const QUIET: ReadonlySet<string> = new Set(['slider', 'Date', 'DateTime', 'InputTime', 'ColorWell']);

/** True if the browser does not always report a new value of the node. */
export function isQuiet({ facts }: TreeNode): boolean {
  return QUIET.has(facts.role);
}

/** Functions of the page reader that an {@link InsideReader} needs. */
export interface InsideParts {
  tree: LiveTree;
  masks: Masks | undefined;
  isClosed: () => boolean;
  /** Queues a step of requests to a page or a frame. */
  push: (session: CdpSession, step: () => Promise<void>, when?: StepTime) => void;
  /** Called for an element that shows a frame whose content is not read yet. */
  onFrame: (owner: TreeNode) => void;
}

/**
 * Reads the content of nodes, starting with the outermost ones. Reads small parts of a page as a whole, and
 * large parts node by node.
 */
export class InsideReader {
  /** Nodes for which the browser reports no changes, or not all. */
  readonly alone = new Set<TreeNode>();
  readonly #taker: NodeWriter;
  /** Becomes false when a request has timed out that the browser answers only if it renders the page. */
  #draws = true;

  constructor(private readonly parts: InsideParts) {
    this.#taker = new NodeWriter(parts.tree, parts.masks, parts.isClosed, (node) => {
      if (node.ignored || isQuiet(node)) this.alone.add(node);
    });
  }

  /** True if a family is small enough for one request. */
  isSmall(parent: TreeNode): boolean {
    return countInside(parent, MAX_FAMILY) <= MAX_FAMILY;
  }

  /** Stores a node that the browser has described, and queues reads of its content. */
  async take(
    session: CdpSession,
    read: ReadNode,
    parent?: TreeNode,
    frame?: string,
  ): Promise<TreeNode | undefined> {
    const known = this.parts.tree.of(session, read.key);
    const around = parent ?? known?.parent;
    const [node] = await this.#takeAll([read], {
      ...{ session, around, ownerOf: () => around },
      frame: frame ?? known?.frame ?? around?.frame,
    });
    return node;
  }

  /**
   * Requests all children of a node in one request, if they are few. After this request the browser reports
   * changes of these children.
   */
  async follow(parent: TreeNode): Promise<void> {
    if (parent.ignored || !this.#isThere(parent) || !this.isSmall(parent)) return;
    await this.#readFamily(parent);
    // Even after this request, the browser does not report changes of ignored nodes.
    for (const child of everyInside(parent)) if (!child.ignored && !isQuiet(child)) this.alone.delete(child);
  }

  /** Reads a node again. */
  async readAgain(node: TreeNode): Promise<void> {
    if (!this.#isThere(node)) return;
    const read = await askAlone(node.session, node.key);
    if (read && !this.parts.isClosed() && this.#isThere(node)) await this.take(node.session, read);
  }

  #goOn(node: TreeNode): void {
    const { session, facts, ignored } = node;
    if (facts.role === 'Iframe' && node.inside.length === 0) this.parts.onFrame(node);
    const unknown = this.parts.tree.unknownIn(node).length;
    if (unknown === 0) return;
    const wide = ignored || WIDE.has(facts.role) || unknown > MAX_FAMILY;
    this.parts.push(session, () => (wide ? this.#readParts(node) : this.#readFamily(node)));
  }

  /** Reads a node in parts. The size of the parts depends on the number of elements inside. */
  async #readParts(node: TreeNode): Promise<void> {
    if (!this.#isThere(node)) return;
    const count = this.#isDrawn(node) ? await countElements(node).catch(() => undefined) : undefined;
    if (this.parts.isClosed() || !this.#isThere(node)) return;
    if (count && count.all <= MAX_WHOLE) await this.#readWhole(node, node.key, node.parent, node);
    const keys = this.#isThere(node) ? this.parts.tree.unknownIn(node) : [];
    if (keys.length === 0) return;
    const ordered = keys.length > MAX_FAMILY && count ? await viewFirst(node.session, keys) : keys;
    if (count && count.most <= MAX_WHOLE) {
      const size = Math.min(WHOLE_STEP, Math.max(1, Math.floor(MAX_WHOLE / Math.max(1, count.most))));
      this.#readMembers(node, ordered, size, (key) => this.#readMember(node, key));
    } else this.#readMembers(node, ordered, ALONE_STEP, (key) => this.#readAlone(node, key));
    if (keys.length <= MAX_FAMILY) this.parts.push(node.session, () => this.follow(node), 'later');
  }

  #readMembers(
    node: TreeNode,
    unknown: readonly number[],
    size: number,
    read: (key: number) => Promise<TreeNode | undefined>,
  ): void {
    // A node without an element has a negative key. Such a node cannot be requested alone.
    const keys = unknown.filter((key) => key > 0);
    const steps = Math.ceil(keys.length / size);
    const all: TreeNode[] = [];
    let done = 0;
    for (let start = 0; start < keys.length; start += size)
      this.parts.push(node.session, async () => {
        if (!this.#isThere(node)) return;
        const isNew = (key: number) => !this.parts.tree.of(node.session, key);
        const taken = await Promise.all(
          keys
            .slice(start, start + size)
            .filter(isNew)
            // A child that is gone does not prevent the sorting of the others.
            .map((member) => read(member).catch(ifGone)),
        );
        for (const member of taken) if (member) all.push(member);
        done++;
        if (done === steps) this.#taker.arrange([node], all);
        // Sorting thousands of nodes takes the same time even if only a few are new. So the nodes are not
        // sorted after each step.
        else if (done % Math.ceil(steps / ARRANGED) === 0) this.#taker.arrange([node], []);
      });
  }

  async #readMember(parent: TreeNode, key: number): Promise<TreeNode | undefined> {
    return (await this.#readWhole(parent, key, parent)) ?? (await this.#readAlone(parent, key));
  }

  async #readAlone(parent: TreeNode, key: number): Promise<TreeNode | undefined> {
    const read = await askAlone(parent.session, key);
    const node = read && this.#isThere(parent) ? await this.take(parent.session, read, parent) : undefined;
    if (node) this.alone.add(node);
    return node;
  }

  /**
   * Reads an element with all its content. Returns undefined if the element must be read in another way.
   *
   * @param self the element's node, if it is already known
   */
  async #readWhole(
    { session, frame }: TreeNode,
    key: number,
    around: TreeNode | undefined,
    self?: TreeNode,
  ): Promise<TreeNode | undefined> {
    if (!this.#draws) return undefined;
    const reads = await askWhole(session, key).catch((error: unknown) => {
      if (!(error instanceof CdpError || error instanceof HeavyPageError)) throw error;
      if (error instanceof CdpError && error.reason === 'timed-out') this.#draws = false;
      return [];
    });
    const [first] = reads;
    const ownerOf = (read: ReadNode) => {
      if (read === first) return around;
      const owner = this.#known(session, read.parent);
      // The document of a frame is read separately.
      return owner?.leaf || owner?.facts.role === 'Iframe' ? undefined : owner;
    };
    const taken = await this.#takeAll(reads, { session, around, frame, ownerOf }, self);
    for (const node of taken) if (node !== taken[0]) this.alone.add(node);
    this.#followAll(taken);
    return taken[0];
  }

  /**
   * Requests the children of each node again when no other step waits, with one request for each family. The
   * browser reports changes of the children only after this request. The earlier request for a node with all
   * its content does not have this effect.
   */
  #followAll(nodes: readonly TreeNode[]): void {
    const parents = nodes.filter(({ inside, ignored }) => inside.length > 0 && !ignored);
    const [first] = parents;
    if (!first) return;
    const follow = async () => {
      await Promise.all(parents.map((parent) => this.follow(parent)));
    };
    this.parts.push(first.session, follow, 'later');
  }

  async #readFamily(parent: TreeNode): Promise<void> {
    if (!this.#isThere(parent)) return;
    const { session, key, frame } = parent;
    const answer = await askFamily(session, key, frame).catch(ifTooLarge);
    if (!answer) {
      this.#readEachAlone(parent);
      return;
    }
    const taken = await this.#takeAll(answer.reads, {
      ...{ session, around: parent, frame },
      ownerOf: (read) => this.#known(session, read.parent) ?? parent,
    });
    this.#taker.arrange([parent], taken);
    if (answer.isAll) return;
    for (const node of new Set(taken.flatMap(({ parent: owner }) => owner ?? []))) this.#readEachAlone(node);
  }

  #readEachAlone(node: TreeNode): void {
    if (!this.#isThere(node)) return;
    const unknown = this.parts.tree.unknownIn(node);
    this.#readMembers(node, unknown, ALONE_STEP, (key) => this.#readAlone(node, key));
  }

  /**
   * Stores an answer and queues reads of the children that it names but does not describe.
   *
   * @param but a node for which no reads are queued here, because the caller queues them
   */
  async #takeAll(reads: readonly ReadNode[], answer: Answer, but?: TreeNode): Promise<TreeNode[]> {
    const taken = await this.#taker.take(reads, answer);
    for (const node of taken) if (node !== but) this.#goOn(node);
    return taken;
  }

  /**
   * True if the browser probably renders the node's document. This is the case for the page's own document,
   * but not for frames, which may be out of view.
   */
  #isDrawn({ session, frame }: TreeNode): boolean {
    const { root } = this.parts.tree;
    return this.#draws && session === root?.session && frame === root.frame;
  }

  #known(session: CdpSession, key: number | undefined): TreeNode | undefined {
    return key === undefined ? undefined : this.parts.tree.of(session, key);
  }

  #isThere(node: TreeNode): boolean {
    return this.#taker.isThere(node);
  }
}
