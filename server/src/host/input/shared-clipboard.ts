import type { ClipboardData, ClipboardType } from 'cloud-browser/protocol';
import { systemClock, type Clock } from '../../platform/clock.js';
import { inTime } from '../../platform/in-time.js';
import type { DisplayClipboard } from '../display/clipboard/display-clipboard.js';

export { NoHandover, TooLarge } from '../display/clipboard/selection-reader.js';

/** Chromium lets a page copy for five seconds after somebody acted on it: what is copied later is nobody's doing. */
const ACT_COUNTS_MS = 5_000;
/** Between a key and the copy that it makes; what others do meanwhile is not what copied. */
const COPY_COUNTS_MS = 1_000;
/** Between two changes of the clipboard that are one copy: programs may take it several times. */
const SETTLE_MS = 15;
/** A paste that nobody has taken by then is none: what had the focus takes nothing. */
const PASTE_TIMEOUT_MS = 500;
/** A page asks for one form after the other. */
const QUIET_MS = 60;

/** One user's hands, by which they are known here. */
export type Hands = object;

/** What somebody has copied in the browser. */
export interface Copied {
  types: ClipboardType[];
  /** Whose act it was; undefined: nobody's, such as a program's by itself. */
  by: Hands | undefined;
}

/**
 * The one clipboard of a browser in the hands of many. What a user brings for a paste is that user's: it goes as soon as somebody
 * else acts, so nobody pastes what another has on their own clipboard. What is copied in the browser, or put there by a program of
 * the customer, is everybody's.
 */
export class SharedClipboard {
  /** Told when something was copied in the browser. */
  onCopied: (copied: Copied) => void = () => undefined;
  #actor: { hands: Hands; at: number } | undefined;
  #copier: { hands: Hands; at: number } | undefined;
  #bringer: Hands | undefined;
  /** Resolves when what was pasted last has been taken. */
  #taken: Promise<void> | undefined;
  #pending = false;
  #closed = false;

  constructor(
    private readonly display: Pick<DisplayClipboard, 'owner' | 'types' | 'read' | 'onCopied' | 'close'>,
    private readonly clock: Clock = systemClock,
  ) {
    display.onCopied = () => this.#changed();
  }

  /** Resolves to what is on it. Rejects with `NoHandover` and `TooLarge`. */
  read(types?: readonly ClipboardType[]): Promise<ClipboardData> {
    return this.display.read(types);
  }

  /** Puts something on it for everybody. */
  async write(data: ClipboardData): Promise<void> {
    await this.#taken;
    this.#bringer = undefined;
    await this.display.owner.own(data);
  }

  /** Puts on it what a user wants to paste; at once when it is there already. */
  bring(hands: Hands, data: ClipboardData): Promise<void> | undefined {
    if (this.display.owner.data === data && this.#bringer === hands) return undefined;
    return this.#bring(hands, data);
  }

  /** The key that pastes was pressed: nothing else gets onto the clipboard before the page has what it asks for. */
  pasting(): void {
    const { owner } = this.display;
    const quiet = new Promise<void>((resolve) => {
      let timer: { cancel(): void } | undefined;
      owner.onTaken = () => {
        timer?.cancel();
        timer = this.clock.setTimeout(resolve, QUIET_MS);
      };
    });
    const taken = inTime(quiet, PASTE_TIMEOUT_MS, () => undefined).finally(() => {
      if (this.#taken === taken) this.#taken = undefined;
    });
    this.#taken = taken;
  }

  /**
   * A user presses something. What another one has brought is gone, when the promise resolves or at once without one.
   *
   * @param copies it is a shortcut that copies
   */
  acts(hands: Hands, copies: boolean): Promise<void> | undefined {
    const at = this.clock.now();
    this.#actor = { hands, at };
    if (copies) this.#copier = this.#actor;
    if (this.#bringer === undefined || this.#bringer === hands) return undefined;
    return this.#empty();
  }

  /** A user has left. */
  forget(hands: Hands): void {
    if (this.#actor?.hands === hands) this.#actor = undefined;
    if (this.#copier?.hands === hands) this.#copier = undefined;
    if (this.#bringer === hands) void this.#empty().catch(() => undefined);
  }

  close(): void {
    this.#closed = true;
    this.display.close();
  }

  async #bring(hands: Hands, data: ClipboardData): Promise<void> {
    await this.#taken;
    this.#bringer = hands;
    await this.display.owner.own(data);
  }

  async #empty(): Promise<void> {
    await this.#taken;
    this.#bringer = undefined;
    await this.display.owner.disown();
  }

  #changed(): void {
    this.#bringer = undefined;
    if (this.#pending) return;
    this.#pending = true;
    const by = this.#whoseAct();
    this.clock.setTimeout(() => {
      this.#pending = false;
      if (!this.#closed) void this.#tell(by);
    }, SETTLE_MS);
  }

  #whoseAct(): Hands | undefined {
    const now = this.clock.now();
    if (this.#copier && now - this.#copier.at <= COPY_COUNTS_MS) return this.#copier.hands;
    return this.#actor && now - this.#actor.at <= ACT_COUNTS_MS ? this.#actor.hands : undefined;
  }

  async #tell(by: Hands | undefined): Promise<void> {
    // A program that does not say what it has copied has copied nothing that could be had.
    const types = await this.display.types().catch(() => []);
    if (types.length > 0 && !this.#closed) this.onCopied({ types, by });
  }
}
