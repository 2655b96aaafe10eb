import type { Paste } from 'cloud-browser/protocol';
import type { Clock } from '../../../platform/time/clock.js';
import { systemClock } from '../../../platform/time/clock.js';
import type { FocusWatch } from '../../browser/focus/focus-watch.js';
import type { BrowserSync } from '../keyboard/browser-sync.js';
import { writesNothing } from '../keyboard/key-codes.js';
import type { UserEvent } from '../merge-events.js';
import { focuses, isSilent, types, type TypingHold } from '../keyboard/typing-hold.js';

/** Two events that are at least this far apart have different times on the display's clock. Milliseconds. */
const CLOCK_STEP_MS = 2;

/** Functions of one user's input that {@link MaskedFields} needs. */
export interface InputUser {
  /** Returns true if the user has the role `field_masking` at this moment. */
  mayWrite(): boolean;
  /** Notifies the user that one of their events was refused. */
  onRefused(): void;
  /** Blocks the user's typing after a refused press. */
  readonly hold: TypingHold;
  /**
   * True for a program, whose pictures do not show masked fields. With the browser's search for text, it
   * could guess their content. So while a masked field has content, a program without the role may use only
   * pages, not the browser's own interface.
   */
  readonly isProgram: boolean;
  /** True if the user holds a button. Then a move is a drag. */
  readonly drags: boolean;
  letGo(): Promise<void>;
  /** Releases the user's keys before the next event of any user. */
  liftKeys(): void;
}

/** Keys that only move the focus, or close a part of the browser's interface. */
const HARMLESS_KEYS = ['Tab', 'Escape'];

/** An event to check. For actions without an event, see {@link MaskedFields.admitsAt}. */
type Judged = UserEvent | Paste;
/** True if the event is for a masked element. `unknown` if a page did not answer in time. */
type Verdict = boolean | 'unknown';

/**
 * Prevents users without the role `field_masking` from typing into masked fields. The host opens and closes
 * the masked fields of all frames together. Only open fields accept input. All fields must be open for an
 * event of a user with the role, and closed for an event of any other user. If the next event needs the other
 * state, the host changes the state after the earlier events are done. All methods are called from the single
 * input queue, so no other user acts at the same time.
 *
 * A refused press does not move the focus. After it, the user's typing is blocked, see {@link TypingHold}.
 */
export class MaskedFields {
  readonly #writers = new Set<InputUser>();
  #acting: InputUser | undefined;
  /** The last user without the role whose press was admitted. A frame may still refuse that press. */
  #presser: InputUser | undefined;
  /** True from that press until the host has waited for the browser to handle the press. */
  #pressIsFresh = false;

  constructor(
    private readonly watch: Pick<
      FocusWatch,
      'gate' | 'focus' | 'hasContent' | 'isMaskedAt' | 'isPageAt' | 'onRefused'
    >,
    private readonly sync: Pick<BrowserSync, 'settled'>,
    private readonly clock: Clock = systemClock,
  ) {
    watch.onRefused = (press) => this.#refusedByFrame(press);
  }

  join(writer: InputUser): void {
    this.#writers.add(writer);
  }

  leave(writer: InputUser): void {
    this.#writers.delete(writer);
  }

  /** Resolves to true if a masked field has the keyboard focus, or if this is unknown. */
  async hasFocus(): Promise<boolean> {
    const focus = await this.watch.focus();
    return focus === 'unknown' || focus?.masked === true;
  }

  /**
   * True if the host withholds the user's typing and this event belongs to that typing. Called once for each
   * event, before {@link admits}.
   */
  withholds(event: Judged, writer: InputUser): boolean {
    if (!writer.hold.withholds(event)) return false;
    if (!isSilent(event)) writer.onRefused();
    return true;
  }

  /** Returns true, or resolves to true, if an event is admitted. */
  admits(event: Judged, writer: InputUser): true | Promise<boolean> {
    if (event.type === 'release' || (event.type === 'move' && !writer.drags)) return true;
    this.#acting = writer;
    if (!writer.mayWrite() && !isHarmless(event)) return this.#judge(event, writer);
    this.#admitted(event, writer);
    if (!writer.mayWrite()) return true;
    return this.watch.gate.keepOpen() ? true : this.#open();
  }

  /**
   * Returns true, or resolves to true, if a user may act at a position on the screen without a press there,
   * for example to drop files.
   */
  admitsAt(at: { x: number; y: number }, writer: InputUser): true | Promise<boolean> {
    this.#acting = writer;
    if (writer.mayWrite()) return this.watch.gate.keepOpen() ? true : this.#open();
    return this.#judgePlace(at, writer);
  }

  /** Withholds a user's typing after a refused press, or after a refused action that works like a press. */
  hold(writer: InputUser): void {
    writer.hold.begin();
    writer.liftKeys();
    writer.onRefused();
  }

  /**
   * Opens the masked fields of all frames. First releases the keys, buttons and fingers of users without the
   * role, so that these do not act inside a masked field.
   */
  async #open(): Promise<true> {
    for (const writer of this.#writers) if (!writer.mayWrite()) await writer.letGo();
    await this.sync.settled();
    await this.watch.gate.open();
    await this.#clockStep();
    // A busy display may give later events an old time, which is before the opening. When the display answers
    // the next request, it has read its clock again.
    await this.sync.settled();
    return true;
  }

  async #judge(event: Judged, writer: InputUser): Promise<boolean> {
    const verdict = (await this.#close()) ? await this.#isMasked(event, writer) : 'unknown';
    // During this check, a frame may have refused the user's last press. The hold then blocks typing.
    if (verdict === false && !writer.hold.blocks(event)) {
      this.#admitted(event, writer);
      return true;
    }
    // If it is unknown where typed text would go, refuses only this event. A hold would also block later
    // typing into an unmasked field.
    if (presses(event) || (types(event) && verdict === true)) this.hold(writer);
    else writer.onRefused();
    return false;
  }

  async #judgePlace(at: { x: number; y: number }, writer: InputUser): Promise<boolean> {
    if ((await this.#close()) && (await this.watch.isMaskedAt(at.x, at.y)) === false) return true;
    this.hold(writer);
    return false;
  }

  #admitted(event: Judged, writer: InputUser): void {
    writer.hold.admitted(event);
    if (writer.mayWrite() || !(presses(event) || event.type === 'touch')) return;
    this.#presser = writer;
    this.#pressIsFresh = true;
  }

  /**
   * Handles a refusal by a frame. The refusal arrives after the host has admitted the event.
   *
   * @param press true if the frame refused a press
   */
  #refusedByFrame(press: boolean): void {
    if (press && this.#presser?.mayWrite() === false) this.hold(this.#presser);
    else if (this.#acting?.mayWrite() === false) this.#acting.onRefused();
  }

  #clockStep(): Promise<void> {
    return new Promise((resolve) => this.clock.setTimeout(resolve, CLOCK_STEP_MS));
  }

  /**
   * Closes the fields. Resolves to true if all are closed. On the display's clock, all earlier actions are
   * before the closing, and all later actions are after it.
   */
  async #close(): Promise<boolean> {
    const { gate } = this.watch;
    if (!gate.mayBeOpen) return true;
    await this.sync.settled();
    // Most pages have handled all earlier events when they answer. A page that has not handled them compares
    // the times of events with the time of the closing.
    await this.watch.focus();
    await this.#clockStep();
    const closed = await gate.close();
    await this.sync.settled();
    return closed;
  }

  async #isMasked(event: Judged, writer: InputUser): Promise<Verdict> {
    if (writer.isProgram && (await this.#isOutsidePages(event)) !== false) {
      const filled = await this.watch.hasContent();
      if (filled !== false) return filled;
    }
    if (event.type === 'touch' || event.type === 'button') {
      // In addition, the script in each frame checks the element under the pointer.
      for (const { x, y } of event.type === 'touch' ? event.points : [event]) {
        const masked = await this.watch.isMaskedAt(x, y);
        if (masked !== false) return masked;
      }
      return false;
    }
    if (event.type === 'key' && event.key === 'Tab') return false;
    if (types(event)) await this.#pressIsDone(writer);
    const focus = await this.watch.focus();
    if (focus === 'unknown') return 'unknown';
    // A turn of the wheel changes the value of a focused number field. In all other cases it only scrolls.
    const turns = event.type !== 'wheel' || focus?.kind === 'number';
    return focus?.masked === true && turns;
  }

  /** Resolves to true if the event is for the browser's own interface, and could make it do something. */
  async #isOutsidePages(event: Judged): Promise<Verdict> {
    if (event.type === 'button') {
      const inPage = await this.watch.isPageAt(event.x, event.y);
      return inPage === 'unknown' ? inPage : !inPage;
    }
    if (!types(event) || (event.type === 'key' && HARMLESS_KEYS.includes(event.key))) return false;
    // An earlier key may have moved the focus to the browser's interface. The browser does that when it has
    // got the key back from the page, which is before the page's second answer.
    await this.sync.settled();
    await this.watch.focus();
    const focus = await this.watch.focus();
    return focus === 'unknown' ? focus : focus === undefined;
  }

  /** Waits until the user's last press has reached its frame, which may refuse it. */
  async #pressIsDone(writer: InputUser): Promise<void> {
    if (!this.#pressIsFresh || this.#presser !== writer) return;
    this.#pressIsFresh = false;
    await this.sync.settled();
  }
}

/** True if the event is a press that may move the focus. */
function presses(event: Judged): boolean {
  if (event.type === 'button') return event.pressed && focuses(event.button);
  return event.type === 'touch' && event.phase === 'start';
}

/** True if the event is only a release, a movement, or a modifier key. */
function isHarmless(event: UserEvent | Paste): boolean {
  switch (event.type) {
    case 'key':
      return !event.pressed || writesNothing(event.code);
    case 'button':
      return !event.pressed;
    case 'touch':
      return event.phase !== 'start';
    case 'move':
      return true;
    default:
      return false;
  }
}
