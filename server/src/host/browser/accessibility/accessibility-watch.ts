import type { AccessibilityState } from 'cloud-browser/protocol';
import { systemClock, type Clock, type Timer } from '../../../platform/time/clock.js';
import { repeat, type Repetition } from '../../../platform/time/repeat.js';
import { withTimeout } from '../../../platform/time/timeout.js';
import type { CdpSession } from '../cdp/cdp-session.js';
import type { LiveTree } from './live-tree.js';
import type { TreeNode } from './nodes/tree-node.js';
import type { Masks } from './reading/read-field.js';
import { TreeReader } from './reading/tree-reader.js';

/** Interval between two checks of which page is active. Milliseconds. */
const FRONT_EVERY_MS = 1_000;
/**
 * First and maximum pause before the next request to a page that does not answer. The pause doubles each
 * time. Milliseconds.
 */
const [RETRY_MS, MAX_RETRY_MS] = [1_000, 15_000];
/**
 * If a page was read for longer than this without a failure, the pause after the next failure is the first
 * pause again. Milliseconds.
 */
const WELL_AFTER_MS = 60_000;
/** Minimum interval between two readings of a page that keeps loading new documents. Milliseconds. */
const ANOTHER_MS = 250;
/**
 * Time for which reading continues after the last subscriber left. A subscriber may come back soon.
 * Milliseconds.
 */
const LINGER_MS = 10_000;

/** Page functions that an {@link AccessibilityWatch} needs. */
export interface WatchedPages {
  /** Returns the page that users see. */
  front(): Promise<CdpSession | undefined>;
  /** Returns the CDP session of a frame that has its own process, by the id of the frame. */
  frame(id: string): CdpSession | undefined;
  /** Called with the id of a frame that has its own process. */
  onFrame: (id: string) => void;
  /**
   * Returns a promise that resolves when a page can answer again. Undefined if nothing keeps it from
   * answering.
   */
  answersAgain(page: CdpSession): Promise<void> | undefined;
}

/** Receiver of changes of the tree. */
export interface AccessibilityListener {
  /** Called when all nodes that were reported earlier are gone. */
  onReset(): void;
  onChanged(node: TreeNode): void;
  onRemoved(id: number): void;
  onState(state: AccessibilityState): void;
}

/** The accessibility tree of the active page. It is read only while a subscriber needs it. */
export class AccessibilityWatch {
  /** Receiver of changes. A browser has only one. */
  listener: AccessibilityListener | undefined;
  #reader: TreeReader | undefined;
  #page: CdpSession | undefined;
  #state: AccessibilityState = 'none';
  /** Subscribers that need the tree. */
  readonly #readers = new Set<object>();
  readonly #stateWaits = new Set<() => void>();
  #nextId = 1;
  #retry = RETRY_MS;
  #began = 0;
  #again: Timer | undefined;
  /** Repeated check for the active page. */
  #looks: Repetition | undefined;
  #lingering: Timer | undefined;
  #closed = false;

  /** @param masks knows which fields are masked; undefined in sessions without field masking */
  constructor(
    private readonly pages: WatchedPages,
    private readonly masks: Masks | undefined,
    private readonly clock: Clock = systemClock,
  ) {
    pages.onFrame = (id) => this.#reader?.frameCame(id);
  }

  /** The part of the tree that was already read. Undefined while no page is read. */
  get tree(): LiveTree | undefined {
    return this.#reader?.tree;
  }

  /** True if the session masks fields. */
  get masking(): boolean {
    return this.masks !== undefined;
  }

  get state(): AccessibilityState {
    return this.#state;
  }

  /**
   * Adds or removes a subscriber. The tree is read while there is a subscriber, and for {@link LINGER_MS}
   * after the last subscriber left.
   *
   * @param wanted true if the subscriber needs the tree
   * @param reader the subscriber
   */
  want(wanted: boolean, reader: object = this): void {
    const before = this.#readers.size > 0;
    if (wanted) this.#readers.add(reader);
    else this.#readers.delete(reader);
    if (this.#readers.size > 0 === before || this.#closed) return;
    this.#lingering?.cancel();
    if (!wanted) this.#lingering = this.clock.setTimeout(() => this.#stop(), LINGER_MS);
    else if (!this.#looks) this.#lookForFront();
  }

  /**
   * Resolves to true when the tree of the active page is complete, and to false if it is not complete within
   * this time. The caller must subscribe first, see {@link want}.
   */
  async whenComplete(milliseconds: number): Promise<boolean> {
    const until = this.clock.now() + milliseconds;
    // Checks first which page is active. Users may have changed to another page since the last check, and the
    // tree of that page is not complete.
    const looked = this.#looks?.runNow().then(() => true);
    if (looked && !(await withTimeout(looked, milliseconds, () => false, this.clock))) return false;
    while (this.#state !== 'complete') {
      const left = until - this.clock.now();
      if (left <= 0 || this.#closed) return false;
      await new Promise<void>((resolve) => {
        const late = this.clock.setTimeout(resolve, left);
        const wake = () => {
          late.cancel();
          this.#stateWaits.delete(wake);
          resolve();
        };
        this.#stateWaits.add(wake);
      });
    }
    const read = this.#reader?.readQuietFields() ?? Promise.resolve();
    await withTimeout(read, Math.max(0, until - this.clock.now()), () => undefined, this.clock);
    return true;
  }

  /** Reads a node of the tree again, because the browser does not report its change. Never rejects. */
  async readAgain(node: TreeNode): Promise<void> {
    await this.#reader?.readAgain(node);
  }

  /**
   * Drops the tree, and reads the page again after a pause. Called when a message with changes was skipped
   * because it was too large.
   */
  missed(): void {
    if (this.#reader) this.#lost('silent');
  }

  close(): void {
    this.#closed = true;
    this.#lingering?.cancel();
    this.#stop();
  }

  #stop(): void {
    this.#looks?.stop();
    this.#looks = undefined;
    this.#leavePage();
    this.#become('none');
  }

  #lookForFront(): void {
    // If one of several pages does not answer, a check takes long. The next check starts only after the end
    // of this check.
    const looks = repeat(this.clock, { every: FRONT_EVERY_MS }, async () => {
      const page = await this.pages.front().catch(() => this.#page);
      // Ignores the result if the checks were stopped meanwhile.
      if (this.#looks === looks) this.#follow(page);
    });
    this.#looks = looks;
    void looks.runNow();
  }

  #follow(page: CdpSession | undefined): void {
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
          if (this.#reader === reader && !(why === 'silent' && this.#waits(page))) this.#lost(why);
        },
      },
      this.#nextId,
    );
    this.#reader = reader;
    this.#become('reading');
    reader.start();
  }

  /**
   * Keeps the tree of a page that cannot answer now, because it waits for a web server or has a dialog open.
   * The page is still shown, so its nodes stay valid. When it can answer again, it is read from the start.
   * Returns false if nothing keeps the page from answering.
   */
  #waits(page: CdpSession): boolean {
    const again = this.pages.answersAgain(page);
    if (!again) return false;
    const reader = this.#reader;
    reader?.pause();
    this.#become('reading');
    void again.then(() => {
      if (this.#reader === reader) this.#lost('another');
    });
    return true;
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
    for (const wake of [...this.#stateWaits]) wake();
  }
}
