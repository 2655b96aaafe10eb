import type { Paste } from 'cloud-browser/protocol';
import type { Clock } from '../../platform/clock.js';
import { systemClock } from '../../platform/clock.js';
import type { FocusWatch } from '../browser/focus/focus-watch.js';
import type { BrowserSync } from './keyboard/browser-sync.js';
import { writesNothing } from './keyboard/key-codes.js';
import type { UserEvent } from './merge-events.js';

/** The display's clock has whole milliseconds: what is done after this is certainly later than what was done before. */
const CLOCK_STEP_MS = 2;

/** One user's hands, as far as masked fields are concerned. */
export interface Writer {
  /** Whether the user has the role at this moment. */
  mayWrite(): boolean;
  /** Something was refused that this user did. */
  onRefused(): void;
  /** Whether buttons are held, so that a move drags. */
  readonly drags: boolean;
  letGo(): Promise<void>;
}

/**
 * Keeps those who may not write from masked fields. What somebody does is let through as long as the fields are open, or closed, to
 * them in every frame; between two users of both kinds that changes, when what the first one did is through. All of this is called
 * by the one queue of input, so nobody acts meanwhile.
 */
export class MaskedFields {
  readonly #writers = new Set<Writer>();
  #acting: Writer | undefined;

  constructor(
    private readonly watch: Pick<FocusWatch, 'gate' | 'focus' | 'isMaskedAt' | 'onRefused'>,
    private readonly sync: Pick<BrowserSync, 'settled'>,
    private readonly clock: Clock = systemClock,
  ) {
    watch.onRefused = () => {
      if (this.#acting?.mayWrite() === false) this.#acting.onRefused();
    };
  }

  join(writer: Writer): void {
    this.#writers.add(writer);
  }

  leave(writer: Writer): void {
    this.#writers.delete(writer);
  }

  /** Whether the keyboard is in a masked field, or nobody can tell. */
  async hasFocus(): Promise<boolean> {
    const focus = await this.watch.focus();
    return focus === 'unknown' || focus?.masked === true;
  }

  /** Whether what a user does may be done; without a promise it may, at once. */
  admits(event: UserEvent | Paste, writer: Writer): true | Promise<boolean> {
    if (event.type === 'release' || (event.type === 'move' && !writer.drags)) return true;
    this.#acting = writer;
    if (writer.mayWrite()) return this.watch.gate.keepOpen() ? true : this.#open();
    return isHarmless(event) ? true : this.#judge(event, writer);
  }

  /** What those hold who may not write, they held where they may: it must not go on in a masked field. */
  async #open(): Promise<true> {
    for (const writer of this.#writers) if (!writer.mayWrite()) await writer.letGo();
    await this.sync.settled();
    await this.watch.gate.open();
    await this.#clockStep();
    // A busy display reads its clock late, but before it is asked once more.
    await this.sync.settled();
    return true;
  }

  async #judge(event: UserEvent | Paste, writer: Writer): Promise<boolean> {
    if ((await this.#close()) && !(await this.#isMasked(event))) return true;
    writer.onRefused();
    return false;
  }

  #clockStep(): Promise<void> {
    return new Promise((resolve) => this.clock.setTimeout(resolve, CLOCK_STEP_MS));
  }

  /** Resolves to whether the fields are closed. What was done before is certainly earlier, and what is done now later. */
  async #close(): Promise<boolean> {
    const { gate } = this.watch;
    if (!gate.mayBeOpen) return true;
    await this.sync.settled();
    // Most pages have handled it all when they answer. Another knows by its time what was done before it is told to close.
    await this.watch.focus();
    await this.#clockStep();
    const closed = await gate.close();
    await this.sync.settled();
    return closed;
  }

  async #isMasked(event: UserEvent | Paste): Promise<boolean> {
    if (event.type === 'touch' || event.type === 'button') {
      // Frames see for themselves besides what is under the pointer.
      for (const { x, y } of event.type === 'touch' ? event.points : [event])
        if ((await this.watch.isMaskedAt(x, y)) !== false) return true;
      return false;
    }
    if (event.type === 'key' && event.key === 'Tab') return false;
    const focus = await this.watch.focus();
    // Over all else a wheel scrolls.
    const turns = event.type !== 'wheel' || (focus !== 'unknown' && focus?.kind === 'number');
    return focus === 'unknown' || (focus?.masked === true && turns);
  }
}

/** What is let go of was pressed where it may be. */
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
