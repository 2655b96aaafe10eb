import type { Protocol } from 'devtools-protocol';
import type { Clock, Timer } from '../../../platform/clock.js';
import type { CdpSession } from '../cdp/cdp-session.js';
import type { TreeNode } from './tree-node.js';
import { MAX_FRAMES } from './tree-limits.js';

type AxNode = Protocol.Accessibility.AXNode;

/** A frame that does not answer is asked again after this, and each time after twice as long. Milliseconds. */
const [RETRY_MS, MAX_RETRY_MS] = [2_000, 60_000];

/** What a book needs of the browser. */
interface FrameParts {
  frame(id: string): CdpSession | undefined;
  clock: Clock;
}

/** What is told of frames. */
interface FrameListener {
  onUpdated(session: CdpSession, nodes: readonly AxNode[]): void;
  onLoaded(session: CdpSession, root: AxNode): void;
  /** The page itself is another. */
  onAnother(): void;
  /** What is inside of an element that shows a frame is to be read. */
  onFrame(owner: TreeNode): void;
  /** Nothing is known any more of what is inside of a frame of another process. */
  onFrameGone(session: CdpSession): void;
}

interface Frame {
  ends: (() => void)[];
  owner: TreeNode | undefined;
  /** It does not answer, and is asked again then. */
  again: Timer | undefined;
  retry: number;
}

/** The frames of a page: which element shows each, and the processes of those that have their own, which come and go, and may not answer. */
export class FrameBook {
  readonly #frames = new Map<CdpSession, Frame>();
  /** Which element shows a frame. */
  readonly #owners = new Map<string, TreeNode>();
  readonly #ids = new Map<TreeNode, string>();
  /** What is to be read already. */
  readonly #due = new Set<TreeNode>();
  #closed = false;

  constructor(
    private readonly page: CdpSession,
    private readonly parts: FrameParts,
    private readonly listener: FrameListener,
  ) {}

  /** Has the browser tell of the changes of a page or a frame. */
  join(session: CdpSession, owner?: TreeNode): void {
    const known = this.#frames.get(session);
    if (known) known.owner = owner;
    if (known || this.#closed) return;
    const ends = [
      session.on('Accessibility.nodesUpdated', ({ nodes }) => this.listener.onUpdated(session, nodes)),
      session.on('Accessibility.loadComplete', ({ root }) => this.listener.onLoaded(session, root)),
      session.on('Page.frameNavigated', ({ frame }) => {
        if (session === this.page && frame.parentId === undefined) this.listener.onAnother();
        else this.came(frame.id);
      }),
    ];
    this.#frames.set(session, { ends, owner, again: undefined, retry: RETRY_MS });
    if (session !== this.page) void session.ended.then(() => this.#leave(session));
    session.post('Page.enable', {});
    session.post('Accessibility.enable', {});
  }

  /** Whether an element is known to show this frame. */
  has(id: string): boolean {
    return this.#owners.has(id);
  }

  /** A frame is another, or has another process. */
  came(id: string): void {
    const owner = this.#owners.get(id);
    // A page can have a frame go elsewhere at any pace.
    if (!owner || this.#closed || this.#due.has(owner)) return;
    this.#due.add(owner);
    this.listener.onFrame(owner);
  }

  /** Notes which element shows a frame; its process, if it has its own. `none`: the frame is not to be read. */
  own(id: string, owner: TreeNode): CdpSession | 'none' | undefined {
    this.#due.delete(owner);
    this.#owners.set(id, owner);
    this.#ids.set(owner, id);
    const session = this.parts.frame(id);
    if (!session) return undefined;
    if (!this.#frames.has(session) && this.#frames.size > MAX_FRAMES) return 'none';
    this.join(session, owner);
    return session;
  }

  /** An element is gone, and the frame that it showed. */
  ownerIsGone(owner: TreeNode): void {
    this.#due.delete(owner);
    const id = this.#ids.get(owner);
    if (id === undefined) return;
    this.#ids.delete(owner);
    if (this.#owners.get(id) === owner) this.#owners.delete(id);
  }

  /** A frame does not answer: the rest of the page goes on without it. */
  fellSilent(session: CdpSession): void {
    const frame = this.#frames.get(session);
    if (!frame || frame.again) return;
    frame.again = this.parts.clock.setTimeout(() => {
      frame.again = undefined;
      if (frame.owner) this.listener.onFrame(frame.owner);
    }, frame.retry);
    frame.retry = Math.min(MAX_RETRY_MS, frame.retry * 2);
    this.listener.onFrameGone(session);
  }

  /** Whether a frame has not answered lately, and is not to be asked. */
  isSilent(session: CdpSession): boolean {
    const frame = this.#frames.get(session);
    return session !== this.page && frame?.again !== undefined;
  }

  close(): void {
    this.#closed = true;
    for (const session of [...this.#frames.keys()]) this.#forget(session);
    this.#owners.clear();
    this.#ids.clear();
    this.#due.clear();
  }

  #leave(session: CdpSession): void {
    if (this.#closed || !this.#frames.has(session)) return;
    this.#forget(session);
    this.listener.onFrameGone(session);
  }

  #forget(session: CdpSession): void {
    const frame = this.#frames.get(session);
    frame?.again?.cancel();
    for (const end of frame?.ends ?? []) end();
    this.#frames.delete(session);
    session.post('Accessibility.disable', {});
  }
}
