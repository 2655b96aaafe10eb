import type { ClipboardData, ClipboardType } from 'cloud-browser/protocol';
import { systemClock, type Clock } from '../../platform/time/clock.js';
import { withTimeout } from '../../platform/time/timeout.js';
import type { DisplayClipboard } from '../display/clipboard/display-clipboard.js';
import { PrivateActs } from './private-acts.js';

export { NoHandover, TooLarge } from '../display/clipboard/selection-reader.js';

/**
 * Time after a user's action during which Chromium allows a page to copy. A later copy is not attributed to
 * that user.
 */
const ACT_COUNTS_MS = 5_000;
/**
 * Longest time between a copy shortcut and the copy that results from it. A copy within this time is
 * attributed to the user of the shortcut, even if another user has acted meanwhile.
 */
const COPY_COUNTS_MS = 1_000;
/**
 * Longest time between a copy shortcut and the first copy after it, if no other user has acted meanwhile. A
 * page that is busy, or that selects a megabyte of text, handles the shortcut seconds later.
 */
const LATE_COPY_COUNTS_MS = 30_000;
/**
 * Several changes of the clipboard within this time count as one copy, because programs may set it more than
 * once.
 */
const SETTLE_MS = 15;
/**
 * Timeout for a paste. If no program has read the clipboard by then, the focused element accepts no paste.
 */
const PASTE_TIMEOUT_MS = 500;
/** Pause after which a paste counts as complete. A page requests one format after the other. */
const QUIET_MS = 60;

/** Identity of one user's input. */
export type InputIdentity = object;

/** Content that was copied in the browser. */
export interface Copied {
  types: ClipboardType[];
  /** User who copied it. Undefined if no user did, for example if a page copied by itself. */
  by: InputIdentity | undefined;
}

/**
 * The clipboard of a browser with several users. Content that a user sends for a paste is only for that user.
 * Other users cannot read it. It is removed as soon as another user acts, so that no user can paste from
 * another user's local clipboard. Content that was copied in the browser, or that the customer's program has
 * set, is for all users. Content that came during a user's privacy mode is removed when this mode ends. A
 * copy that a busy page performs later, because of an act in privacy mode, is removed too.
 */
export class SharedClipboard {
  /** Called when something was copied in the browser. */
  onCopied: (copied: Copied) => void = () => undefined;
  /** Called with content that a user or the customer's program sends, before the browser can paste it. */
  onSent: (data: ClipboardData) => void = () => undefined;
  #actor: { identity: InputIdentity; at: number } | undefined;
  #copier: { identity: InputIdentity; at: number; copied: boolean } | undefined;
  #offeredBy: InputIdentity | undefined;
  /** Present during privacy mode. `changed`: the content is from this privacy mode. */
  #privacy: { changed: boolean } | undefined;
  /** Resolves when the content of an ended privacy mode is removed. */
  #removal: Promise<void> | undefined;
  readonly #privateActs: PrivateActs;
  /** Resolves when a program has read the last paste, or at the timeout. */
  #taken: Promise<void> | undefined;
  /** Reads of the current content that are in progress, by the types that they request. */
  readonly #reads = new Map<string, Promise<ClipboardData>>();
  #pending = false;
  #closed = false;

  constructor(
    private readonly display: Pick<DisplayClipboard, 'owner' | 'types' | 'read' | 'onCopied' | 'close'>,
    private readonly clock: Clock = systemClock,
  ) {
    display.onCopied = () => this.#changed();
    const times = { act: ACT_COUNTS_MS, shortcut: LATE_COPY_COUNTS_MS, settle: SETTLE_MS };
    this.#privateActs = new PrivateActs(clock, times);
  }

  /**
   * Resolves to the clipboard's content. The result is empty if another user sent the content for a paste.
   * Rejects with `NoHandover` or `TooLarge`. Callers that read the same types at the same time share one
   * result, because it may have many megabytes.
   *
   * @param reader user who reads. Undefined for a backend
   */
  async read(types?: readonly ClipboardType[], reader?: InputIdentity): Promise<ClipboardData> {
    if (this.#removal) await this.#removal;
    if (this.#isOfAnother(reader)) return new Map();
    const data = await this.#sharedRead(types);
    // During the read, another user may have sent content for a paste.
    return this.#isOfAnother(reader) ? new Map() : data;
  }

  #sharedRead(types?: readonly ClipboardType[]): Promise<ClipboardData> {
    const key = String(types);
    const known = this.#reads.get(key);
    if (known) return known;
    const read = this.display.read(types).finally(() => {
      if (this.#reads.get(key) === read) this.#reads.delete(key);
    });
    this.#reads.set(key, read);
    return read;
  }

  /** Sets content for all users. */
  async write(data: ClipboardData): Promise<void> {
    this.onSent(data);
    if (this.#removal) await this.#removal;
    await this.#taken;
    this.#changes(undefined);
    await this.display.owner.own(data);
  }

  /**
   * Sets content that a user wants to paste. Returns undefined if the clipboard already contains this content
   * from this user.
   */
  offer(identity: InputIdentity, data: ClipboardData): Promise<void> | undefined {
    this.onSent(data);
    if (this.display.owner.data === data && this.#offeredBy === identity) return undefined;
    return this.#offer(identity, data);
  }

  /**
   * Records that the host will press the paste key. The clipboard's content then stays until a program has
   * read it, or until the timeout.
   */
  pasting(): void {
    const { owner } = this.display;
    // The browser pastes its own copy.
    if (!owner.data) return;
    const quiet = new Promise<void>((resolve) => {
      let timer: { cancel(): void } | undefined;
      owner.onTaken = () => {
        timer?.cancel();
        timer = this.clock.setTimeout(resolve, QUIET_MS);
      };
    });
    const taken = withTimeout(quiet, PASTE_TIMEOUT_MS, () => undefined).finally(() => {
      if (this.#taken === taken) this.#taken = undefined;
    });
    this.#taken = taken;
  }

  /**
   * Records that a user presses a key, a button or the touch screen. Removes content that another user sent
   * for a paste. This content, and that of an ended privacy mode, is removed when the returned promise
   * resolves. Returns undefined if there is no such content.
   *
   * @param copies true for a shortcut that copies
   */
  acts(identity: InputIdentity, copies: boolean): Promise<void> | undefined {
    const at = this.clock.now();
    this.#privateActs.acts(identity, copies);
    this.#actor = { identity, at };
    if (copies) this.#copier = { identity, at, copied: false };
    if (this.#removal) return this.#removal;
    if (this.#offeredBy === undefined || this.#offeredBy === identity) return undefined;
    return this.#empty((by) => by !== identity);
  }

  /** Records that a user starts privacy mode. */
  beginPrivacy(): void {
    this.#privacy = { changed: false };
    this.#privateActs.begin();
  }

  /**
   * Removes what a user copied or pasted during privacy mode, before other users act or read. Keeps content
   * from before.
   */
  endPrivacy(): void {
    const changed = this.#privacy?.changed === true;
    this.#privacy = undefined;
    this.#privateActs.end();
    if (changed) this.#startRemoval();
  }

  /** Forgets a user who has left. */
  forget(identity: InputIdentity): void {
    if (this.#actor?.identity === identity) this.#actor = undefined;
    if (this.#copier?.identity === identity) this.#copier = undefined;
    if (this.#offeredBy === identity) void this.#empty((by) => by === identity).catch(() => undefined);
  }

  close(): void {
    this.#closed = true;
    this.display.close();
  }

  /** True if the content is for the paste of another user than the reader. */
  #isOfAnother(reader: InputIdentity | undefined): boolean {
    return this.#offeredBy !== undefined && this.#offeredBy !== reader;
  }

  async #offer(identity: InputIdentity, data: ClipboardData): Promise<void> {
    if (this.#removal) await this.#removal;
    await this.#taken;
    // Other content, and other reads, must not delay the paste.
    if (!this.display.owner.data && this.#reads.size === 0 && (await this.#isCopyOf(data))) return;
    this.#changes(identity);
    const { owner } = this.display;
    await owner.own(data);
    // A copy from before may have been reported only now. The content is still for this user only.
    if (owner.data === data) this.#changes(identity);
  }

  /**
   * True if the content is what was copied in the browser, and has come back from a local clipboard. Then the
   * copy stays, because it also has the formats that pages define. The local clipboard has lost them.
   */
  async #isCopyOf(data: ClipboardData): Promise<boolean> {
    const text = data.get('text/plain');
    if (!text) return false;
    try {
      const types = await this.display.types();
      if (![...data.keys()].every((type) => types.includes(type))) return false;
      const copied = (await this.read(['text/plain'])).get('text/plain');
      return copied !== undefined && linesOf(copied) === linesOf(text) && !this.display.owner.data;
    } catch {
      return false;
    }
  }

  /** @param unwanted returns true for a user whose content must not stay */
  async #empty(unwanted: (by: InputIdentity) => boolean): Promise<void> {
    await this.#taken;
    // During the wait, the clipboard may have received other content.
    if (this.#offeredBy === undefined || !unwanted(this.#offeredBy)) return;
    this.#changes(undefined);
    await this.display.owner.disown();
  }

  /** Removes the content. Other users act and read only after that. */
  #startRemoval(): void {
    const removal = this.#remove()
      .catch(() => undefined)
      .finally(() => {
        if (this.#removal === removal) this.#removal = undefined;
      });
    this.#removal = removal;
  }

  async #remove(): Promise<void> {
    await this.#taken;
    this.#changes(undefined);
    await this.display.owner.release();
  }

  /** Records a change of the content. `by` is the user who sent the content for a paste, if there is one. */
  #changes(by: InputIdentity | undefined): void {
    this.#offeredBy = by;
    this.#reads.clear();
    if (this.#privacy) this.#privacy.changed = true;
  }

  #changed(): void {
    this.#changes(undefined);
    if (this.#privateActs.copied()) return this.#startRemoval();
    if (this.#pending) return;
    this.#pending = true;
    const by = this.#whoseAct();
    this.clock.setTimeout(() => {
      this.#pending = false;
      if (!this.#closed) void this.#notify(by);
    }, SETTLE_MS);
  }

  /** Records a copy, and returns the user who caused it. Undefined if no user did. */
  #whoseAct(): InputIdentity | undefined {
    const now = this.clock.now();
    const copier = this.#copier;
    const actor = this.#actor;
    const first = copier !== undefined && !copier.copied;
    if (copier) copier.copied = true;
    if (copier && now - copier.at <= COPY_COUNTS_MS) return copier.identity;
    if (!actor) return undefined;
    // Only the first copy after a shortcut may be this late. Otherwise a page could use an old shortcut to
    // replace the content that the user has copied.
    const late = first && copier.identity === actor.identity && now - copier.at <= LATE_COPY_COUNTS_MS;
    return late || now - actor.at <= ACT_COUNTS_MS ? actor.identity : undefined;
  }

  async #notify(by: InputIdentity | undefined): Promise<void> {
    // If the program that copied does not list its formats, nobody can read the content. Then there is
    // nothing to report.
    const types = await this.display.types().catch(() => []);
    if (types.length > 0 && !this.#closed) this.onCopied({ types, by });
  }
}

/** Returns a text with Unix line ends. A local clipboard may have changed them. */
function linesOf(text: Uint8Array): string {
  return Buffer.from(text).toString('utf8').replaceAll('\r\n', '\n');
}
