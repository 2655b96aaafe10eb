import type { AccessibilityState } from 'cloud-browser/protocol';
import { systemClock, type Clock, type Timer } from '../../../platform/clock.js';
import type { CdpSession } from '../cdp/cdp-session.js';
import type { LiveTree } from './live-tree.js';
import type { TreeNode } from './tree-node.js';
import type { Masks } from './read-field.js';
import { TreeReader } from './tree-reader.js';

/** Between two looks which page is in front. Milliseconds. */
const FRONT_EVERY_MS = 1_000;
/** A page that does not answer is asked again after this, and each time after twice as long. Milliseconds. */
const [RETRY_MS, MAX_RETRY_MS] = [1_000, 15_000];
/** Who has been read for so long without trouble is asked again as soon as another. Milliseconds. */
const WELL_AFTER_MS = 60_000;
/** A page that is another each time is read no more often. Milliseconds. */
const ANOTHER_MS = 250;
/** Who wants to know may be gone for a moment. Milliseconds. */
const LINGER_MS = 10_000;

/** What this needs of the browser's pages. */
export interface WatchedPages {
  /** The page that a person sees. */
  front(): Promise<CdpSession | undefined>;
  /** The frame of another process by its id. */
  frame(id: string): CdpSession | undefined;
  /** Told of the id of a frame that has a process of its own. */
  onFrame: (id: string) => void;
}

/** Who is told of the tree. */
export interface AccessibilityListener {
  /** All that was told of before is gone. */
  onReset(): void;
  onChanged(node: TreeNode): void;
  onRemoved(id: number): void;
  onState(state: AccessibilityState): void;
}

/** The accessibility tree of the page in front. Runs only while somebody wants to know it, and costs nothing before. */
export class AccessibilityWatch {
  /** Told of changes; one for each browser. */
  listener: AccessibilityListener | undefined;
  #reader: TreeReader | undefined;
  #page: CdpSession | undefined;
  #state: AccessibilityState = 'none';
  #wanted = false;
  #nextId = 1;
  #retry = RETRY_MS;
  #began = 0;
  #again: Timer | undefined;
  /** The next look, or that under way. */
  #looking: Timer | 'now' | undefined;
  #lingering: Timer | undefined;
  /** Counts on when looks end. */
  #look = 0;
  #closed = false;

  /** @param masks what knows which fields are masked, in sessions that mask any */
  constructor(
    private readonly pages: WatchedPages,
    private readonly masks: Masks | undefined,
    private readonly clock: Clock = systemClock,
  ) {
    pages.onFrame = (id) => this.#reader?.frameCame(id);
  }

  /** The tree as far as it was read; undefined while nobody wants to know it, and before there is a page. */
  get tree(): LiveTree | undefined {
    return this.#reader?.tree;
  }

  /** Whether there is anything in the session that is for some alone. */
  get masking(): boolean {
    return this.masks !== undefined;
  }

  get state(): AccessibilityState {
    return this.#state;
  }

  /** Whether anybody wants to know. */
  want(wanted: boolean): void {
    if (wanted === this.#wanted || this.#closed) return;
    this.#wanted = wanted;
    this.#lingering?.cancel();
    if (!wanted) this.#lingering = this.clock.setTimeout(() => this.#stop(), LINGER_MS);
    else if (!this.#looking) void this.#lookForFront();
  }

  /** The browser told too much at once of what has changed, so that it was not read: the page is left alone for a while. */
  missed(): void {
    if (this.#reader) this.#lost('silent');
  }

  close(): void {
    this.#closed = true;
    this.#lingering?.cancel();
    this.#stop();
  }

  #stop(): void {
    if (this.#looking !== 'now') this.#looking?.cancel();
    this.#looking = undefined;
    this.#look++;
    this.#leavePage();
    this.#become('none');
  }

  async #lookForFront(): Promise<void> {
    const look = this.#look;
    this.#looking = 'now';
    // Of several pages one that stands still answers late: the next look waits for this one.
    const page = await this.pages.front().catch(() => this.#page);
    // Nobody wants to know any more.
    if (this.#look !== look) return;
    this.#looking = this.clock.setTimeout(() => void this.#lookForFront(), FRONT_EVERY_MS);
    if (page === this.#page) return;
    this.#page = page;
    this.#retry = RETRY_MS;
    this.#begin();
  }

  #begin(): void {
    this.#leaveTree();
    const page = this.#page;
    if (!page) return this.#become('none');
    this.#began = this.clock.now();
    const reader: TreeReader = new TreeReader(
      page,
      { frame: (id) => this.pages.frame(id), masks: this.masks, clock: this.clock },
      {
        changed: (node) => this.listener?.onChanged(node),
        removed: ({ id }) => this.listener?.onRemoved(id),
        onProgress: (complete) => this.#become(complete ? 'complete' : 'reading'),
        onLost: (why) => {
          if (this.#reader === reader) this.#lost(why);
        },
      },
      this.#nextId,
    );
    this.#reader = reader;
    this.#become('reading');
    reader.start();
  }

  #lost(why: 'silent' | 'another'): void {
    const lasted = this.clock.now() - this.#began;
    this.#leaveTree();
    if (lasted > WELL_AFTER_MS) this.#retry = RETRY_MS;
    const wait = why === 'silent' ? this.#retry : Math.max(0, ANOTHER_MS - lasted);
    if (why === 'silent') this.#retry = Math.min(MAX_RETRY_MS, this.#retry * 2);
    this.#become(why === 'silent' ? 'silent' : 'reading');
    this.#again = this.clock.setTimeout(() => this.#begin(), wait);
  }

  #leavePage(): void {
    this.#leaveTree();
    this.#page = undefined;
  }

  #leaveTree(): void {
    this.#again?.cancel();
    this.#again = undefined;
    const reader = this.#reader;
    if (!reader) return;
    this.#reader = undefined;
    this.#nextId = reader.tree.nextId;
    reader.close();
    this.listener?.onReset();
  }

  #become(state: AccessibilityState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.listener?.onState(state);
  }
}
