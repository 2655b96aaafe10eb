import type { Protocol } from 'devtools-protocol';
import type { Clock, Timer } from '../../../platform/time/clock.js';
import type { CdpSession } from '../cdp/cdp-session.js';
import type { TreeNode } from './nodes/tree-node.js';
import { MAX_FRAMES } from './tree-limits.js';

type AxNode = Protocol.Accessibility.AXNode;

/**
 * First and maximum pause before the next request to a frame that does not answer. The pause doubles each
 * time. Milliseconds.
 */
const [RETRY_MS, MAX_RETRY_MS] = [2_000, 60_000];

/** Browser functions that {@link AccessibilityFrames} needs. */
interface FrameParts {
  frame(id: string): CdpSession | undefined;
  clock: Clock;
}

/** Receiver of frame events. */
interface FrameListener {
  onUpdated(session: CdpSession, nodes: readonly AxNode[]): void;
  onLoaded(session: CdpSession, root: AxNode): void;
  /** Called when the page has a new document. */
  onAnother(): void;
  /** Called when the content of a frame element must be read. */
  onFrame(owner: TreeNode): void;
  /** Called when the content of a frame with its own process is lost. */
  onFrameGone(session: CdpSession): void;
}

interface Frame {
  ends: (() => void)[];
  owner: TreeNode | undefined;
  /** Timer of the next request to a frame that did not answer. */
  again: Timer | undefined;
  /** The next pause. Milliseconds. */
  retry: number;
  /** End of the last pause. Milliseconds. */
  resumed: number;
}

/**
 * Tracks the frames of a page: the element that shows each frame, and the CDP session of each frame that has
 * its own process. A frame with its own process can be removed at any time, and sometimes does not answer.
 */
export class AccessibilityFrames {
  readonly #frames = new Map<CdpSession, Frame>();
  /** Elements that show a frame, by frame id. */
  readonly #owners = new Map<string, TreeNode>();
  readonly #ids = new Map<TreeNode, string>();
  /** Frame elements whose content is already queued for reading. */
  readonly #due = new Set<TreeNode>();
  #closed = false;

  constructor(
    private readonly page: CdpSession,
    private readonly parts: FrameParts,
    private readonly listener: FrameListener,
  ) {}

  /** Subscribes to the changes of a page or a frame. */
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
    this.#frames.set(session, { ends, owner, again: undefined, retry: RETRY_MS, resumed: 0 });
    if (session !== this.page) void session.ended.then(() => this.#leave(session));
    session.post('Page.enable', {});
    session.post('Accessibility.enable', {});
  }

  /** True if the element that shows this frame is known, see {@link own}. */
  has(id: string): boolean {
    return this.#owners.has(id);
  }

  /** Handles a frame that has a new document or a new process. */
  came(id: string): void {
    const owner = this.#owners.get(id);
    // A page can navigate a frame very often, so several changes result in one read.
    if (!owner || this.#closed || this.#due.has(owner)) return;
    this.#due.add(owner);
    this.listener.onFrame(owner);
  }

  /**
   * Records the element that shows a frame. Returns the frame's session if the frame has its own process,
   * otherwise undefined. Returns `none` if the page already has too many frames with their own process. Then
   * the caller must not read the frame.
   */
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

  /** Forgets the frame of an element that is gone. */
  ownerIsGone(owner: TreeNode): void {
    this.#due.delete(owner);
    const id = this.#ids.get(owner);
    if (id === undefined) return;
    this.#ids.delete(owner);
    if (this.#owners.get(id) === owner) this.#owners.delete(id);
  }

  /** Pauses reading of a frame that does not answer. The rest of the page is still read. */
  fellSilent(session: CdpSession): void {
    const frame = this.#frames.get(session);
    if (!frame || frame.again) return;
    const { clock } = this.parts;
    // If a frame has answered for longer than the longest pause, its pauses become short again. A shorter
    // limit would not work, because a silent frame can also wait that long for its turn and its next timeout.
    if (clock.now() - frame.resumed > MAX_RETRY_MS) frame.retry = RETRY_MS;
    frame.again = clock.setTimeout(() => {
      frame.again = undefined;
      frame.resumed = clock.now();
      if (frame.owner) this.listener.onFrame(frame.owner);
    }, frame.retry);
    frame.retry = Math.min(MAX_RETRY_MS, frame.retry * 2);
    this.listener.onFrameGone(session);
  }

  /** True if a frame did not answer recently and must not receive requests. */
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
