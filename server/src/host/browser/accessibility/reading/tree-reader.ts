import type { Protocol } from 'devtools-protocol';
import type { Clock } from '../../../../platform/time/clock.js';
import { repeat, type Repetition } from '../../../../platform/time/repeat.js';
import { CdpError, type CdpSession } from '../../cdp/cdp-session.js';
import { AccessibilityFrames } from '../accessibility-frames.js';
import { LiveTree, type TreeChanges } from '../live-tree.js';
import type { TreeNode } from '../nodes/tree-node.js';
import { InsideReader, isQuiet } from './inside-reader.js';
import { askRoot } from '../nodes/node-questions.js';
import { everyInside, shownAround } from '../nodes/node-walks.js';
import { READ_TIMEOUT_MS } from './read-answers.js';
import type { Masks } from './read-field.js';
import type { ReadNode } from './read-node.js';
import { ReadingLane, type StepTime } from './reading-lane.js';
import { PendingChanges } from '../pending-changes.js';

type AxNode = Protocol.Accessibility.AXNode;

/** Maximum number of hidden nodes that are checked when a node that contains them has changed. */
const HIDDEN = 12;
/**
 * Number of nodes that are read again at each interval, and the interval in milliseconds. These are nodes for
 * which the browser reports no changes, such as ignored nodes and nodes with many siblings.
 */
const [LOOKS, LOOK_EVERY_MS] = [40, 500];

/** Browser functions that a {@link TreeReader} needs. */
export interface ReaderParts {
  /** Returns the CDP session of a frame that has its own process, by the id of the frame. */
  frame(id: string): CdpSession | undefined;
  /** Present in sessions that mask fields. */
  masks: Masks | undefined;
  clock: Clock;
}

/** Receiver of the events of a tree that is read. */
export interface ReaderListener extends TreeChanges {
  /** Called with true if nothing more has to be read. */
  onProgress(complete: boolean): void;
  /**
   * Called when the page does not answer (`silent`), or has a new document (`another`) and must be read from
   * the start.
   */
  onLost(why: 'silent' | 'another'): void;
}

/**
 * Reads the accessibility tree of one page with all its frames, starting with the outermost nodes. The steps
 * are small, so that they delay neither the page nor this process. After the first reading, this class stores
 * the changes that the browser reports. The browser reports changes only for nodes that were requested as a
 * family, which is all children of one node.
 */
export class TreeReader {
  readonly tree: LiveTree;
  readonly #lane: ReadingLane;
  readonly #frames: AccessibilityFrames;
  readonly #inside: InsideReader;
  readonly #news: PendingChanges;
  #looks: Repetition | undefined;
  #closed = false;

  constructor(
    private readonly page: CdpSession,
    private readonly parts: ReaderParts,
    private readonly listener: ReaderListener,
    firstId: number,
  ) {
    const { clock } = parts;
    this.tree = new LiveTree(
      {
        changed: (node) => listener.changed(node),
        removed: (node) => {
          this.#inside.alone.delete(node);
          this.#news.forget(node);
          this.#frames.ownerIsGone(node);
          listener.removed(node);
        },
      },
      firstId,
    );
    this.#inside = new InsideReader({
      ...{ tree: this.tree, masks: parts.masks, isClosed: () => this.#closed },
      push: (session, step, when) => this.#push(session, step, when),
      onFrame: (owner) => this.#push(owner.session, () => this.#readFrame(owner)),
    });
    this.#lane = new ReadingLane(clock, (complete) => listener.onProgress(complete));
    this.#news = new PendingChanges(this.tree, this.#lane, async (known, read) => {
      if (!this.#frames.isSilent(known.session))
        await this.#takeNew(known, read).catch((error: unknown) => this.#failed(known.session, error));
    });
    this.#frames = new AccessibilityFrames(page, parts, {
      onUpdated: (session, nodes) => this.#told(session, nodes),
      onLoaded: (session, root) => this.#loaded(session, root),
      onAnother: () => listener.onLost('another'),
      onFrame: (owner) => this.#push(owner.session, () => this.#readFrame(owner)),
      onFrameGone: (session) => this.#dropFrame(session),
    });
  }

  /** Starts reading. */
  start(): void {
    this.#frames.join(this.page);
    this.#push(this.page, () => this.#readRoot(this.page));
    this.#looks = repeat(this.parts.clock, { every: LOOK_EVERY_MS }, () => this.#lookAgain());
  }

  /** Handles a frame that has moved to its own process or to another process. */
  frameCame(id: string): void {
    this.#frames.came(id);
  }

  /** Reads fields again whose new value the browser does not always report. Never rejects. */
  async readQuietFields(): Promise<void> {
    const fields = [...this.#inside.alone].filter(isQuiet).slice(0, LOOKS);
    await Promise.all(fields.map((node) => this.readAgain(node)));
  }

  /**
   * Reads a node again, whose change the browser does not report. Never rejects. A failure does not count
   * against the page. After a change of a value, the page may be busy or show a dialog, and the references to
   * its nodes must stay valid.
   */
  async readAgain(node: TreeNode): Promise<void> {
    await this.#inside.readAgain(node).catch(() => undefined);
  }

  /** Stops reading, and keeps the tree. A new document of the page is still reported. */
  pause(): void {
    this.#looks?.stop();
    this.#lane.close();
  }

  close(): void {
    this.#closed = true;
    this.pause();
    this.#frames.close();
    this.#inside.alone.clear();
  }

  /**
   * Queues a step of requests to a frame or to the page. If a step for a frame fails, only this frame is
   * paused. If a step for the page fails, the whole tree is read again.
   */
  #push(session: CdpSession, step: () => Promise<void>, when: StepTime = 'soon'): void {
    this.#lane.push(async () => {
      if (this.#closed || this.#frames.isSilent(session)) return;
      await step().catch((error: unknown) => this.#failed(session, error));
    }, when);
  }

  #failed(session: CdpSession, error: unknown): void {
    if (this.#closed || (error instanceof CdpError && error.reason === 'refused')) return;
    if (session === this.page) this.listener.onLost('silent');
    else this.#frames.fellSilent(session);
  }

  async #readRoot(session: CdpSession, owner?: TreeNode, frameId?: string): Promise<void> {
    const { read, frame } = await askRoot(session, frameId);
    if (this.#closed || !read || (owner && !this.#isThere(owner))) return;
    const root = await this.#inside.take(session, read, owner, frame);
    if (!root) return;
    if (owner && this.#isThere(owner)) this.tree.graft(owner, root);
  }

  async #readFrame(owner: TreeNode): Promise<void> {
    const { session, key: backendNodeId } = owner;
    const { node } = await session.send('DOM.describeNode', { backendNodeId }, READ_TIMEOUT_MS);
    const { frameId } = node;
    if (frameId === undefined || this.#closed || !this.#isThere(owner)) return;
    const own = this.#frames.own(frameId, owner);
    if (own === 'none') return;
    if (own) this.#push(own, () => this.#readRoot(own, owner));
    else await this.#readRoot(session, owner, frameId);
  }

  #dropFrame(session: CdpSession): void {
    for (const root of this.tree.rootsOf(session)) this.tree.remove(root);
  }

  #told(session: CdpSession, nodes: readonly AxNode[]): void {
    try {
      this.#news.add(session, nodes);
    } catch (error) {
      this.#failed(session, error);
    }
  }

  async #takeNew(known: TreeNode, read: ReadNode): Promise<void> {
    await this.#inside.take(known.session, read);
    const { parent } = known;
    // Reads the parent again, because its name may depend on its content.
    if (parent && this.#inside.alone.has(parent)) await this.#inside.readAgain(parent);
    await this.#lookForShown(shownAround(known));
  }

  /**
   * Reads hidden nodes again, because they may be visible now. When a hidden node becomes visible, the
   * browser reports only a change of its parent.
   */
  async #lookForShown(node: TreeNode | undefined): Promise<void> {
    if (!node) return;
    const ignored: TreeNode[] = [];
    for (const child of everyInside(node)) {
      if (child.ignored) ignored.push(child);
      if (ignored.length === HIDDEN) break;
    }
    if (ignored.length === 0) return;
    if (this.#inside.isSmall(node)) await this.#inside.follow(node);
    else for (const child of ignored) await this.#inside.readAgain(child);
  }

  #loaded(session: CdpSession, root: AxNode): void {
    const key = root.backendDOMNodeId ?? Number(root.nodeId);
    if (this.tree.of(session, key)) this.#told(session, [root]);
    else if (root.frameId !== undefined && this.#frames.has(root.frameId)) this.#frames.came(root.frameId);
    else if (session === this.page && this.tree.root?.session === session) this.listener.onLost('another');
  }

  #isThere(node: TreeNode): boolean {
    return this.tree.node(node.id) === node;
  }

  #lookAgain(): void {
    const nodes = [...this.#inside.alone].slice(0, this.#lane.idle ? LOOKS : 0);
    for (const node of nodes) {
      // Moves the node to the end, so that all other nodes are handled first.
      this.#inside.alone.delete(node);
      this.#inside.alone.add(node);
      this.#push(node.session, () => this.#inside.readAgain(node), 'quietly');
    }
  }
}
