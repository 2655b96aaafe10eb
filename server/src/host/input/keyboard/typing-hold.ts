import { Modifier, type Paste, type Touch } from 'cloud-browser/protocol';
import { writesNothing } from './key-codes.js';
import type { UserEvent } from '../merge-events.js';

/** A finger that moves farther than this scrolls and does not move the focus. Pixels of the screen. */
const TAP_SLOP = 30;
/**
 * Left, middle and right button, as in `MouseEvent.button`. The other buttons navigate the history and do not
 * move the focus.
 */
const FOCUSING_BUTTONS = [0, 1, 2];

/**
 * Blocks one user's keys, text and paste after a press of this user was refused. The press has not moved the
 * focus, so the text would go to the wrong field. The block ends with the next admitted press or with Tab. A
 * reconnect does not end it.
 */
export class TypingHold {
  #held = false;
  /**
   * True if an input method began to compose while typing was withheld, and is still composing. Its text is
   * withheld even after the hold has ended, because it would go to the wrong field.
   */
  #composes = false;
  /** Codes of keys that were pressed while typing was withheld, and that may still repeat. */
  readonly #stale = new Set<string>();
  /** A single finger that may become a tap. */
  #finger: { id: number; x: number; y: number } | undefined;

  /** True while the user's typing is withheld. */
  get held(): boolean {
    return this.#held;
  }

  /** Starts to withhold the user's typing after a refused press. */
  begin(): void {
    this.#held = true;
    this.#finger = undefined;
  }

  /** Ends the hold, because the user has chosen another position. */
  end(): void {
    this.#held = false;
  }

  /** True if the hold blocks this event at the moment. */
  blocks(event: UserEvent | Paste): boolean {
    return this.#held && types(event) && !(event.type === 'key' && (!event.pressed || leavesField(event)));
  }

  /** True if this event must not be performed. Called once for each event, in order. */
  withholds(event: UserEvent | Paste): boolean {
    switch (event.type) {
      case 'key':
        if (!event.pressed) this.#stale.delete(event.code);
        return event.pressed && this.#withholdsKey(event);
      case 'text':
        return this.#withholdsText(false);
      case 'composition':
        return this.#withholdsText(event.text !== '');
      case 'paste':
        return this.#held;
      default:
        return false;
    }
  }

  /** Records an event that will be performed. A click, a tap or Tab ends the hold. */
  admitted(event: UserEvent | Paste): void {
    if (event.type === 'button' && event.pressed && focuses(event.button)) this.end();
    if (event.type === 'key' && event.pressed && leavesField(event)) this.end();
    if (event.type === 'touch') this.#touched(event);
  }

  #withholdsKey(event: Extract<UserEvent, { type: 'key' }>): boolean {
    const withheld = this.#held ? !leavesField(event) : event.repeat && this.#stale.has(event.code);
    if (withheld) this.#stale.add(event.code);
    else {
      this.#stale.delete(event.code);
      this.#composes = false;
    }
    return withheld;
  }

  #withholdsText(goesOn: boolean): boolean {
    const withheld = this.#held || this.#composes;
    this.#composes = withheld && goesOn;
    return withheld;
  }

  #touched({ phase, points }: Touch): void {
    const [only] = points;
    if (phase === 'start') this.#finger = points.length === 1 ? only : undefined;
    const finger = this.#finger;
    if (!finger) return;
    if (phase === 'end' && !only) {
      this.#finger = undefined;
      this.end();
    } else if (phase !== 'start' && !(only && isNear(finger, only))) this.#finger = undefined;
  }
}

/** True if a press of this button moves the focus. Numbers as in `MouseEvent.button`. */
export function focuses(button: number): boolean {
  return FOCUSING_BUTTONS.includes(button);
}

/** True if the event enters text at the focus. */
export function types(event: UserEvent | Paste): boolean {
  const { type } = event;
  return type === 'text' || type === 'composition' || type === 'paste' || type === 'key';
}

/** True if the user needs no notice about this withheld event, because it would not enter any text. */
export function isSilent(event: UserEvent | Paste): boolean {
  return event.type === 'key' && writesNothing(event.code);
}

/** True for Tab and Shift+Tab, which move the focus. With another modifier Tab is a shortcut. */
function leavesField({ key, modifiers }: { key: string; modifiers: number }): boolean {
  return key === 'Tab' && (modifiers & ~Modifier.shift) === 0;
}

function isNear(from: { x: number; y: number }, to: { x: number; y: number }): boolean {
  return Math.hypot(to.x - from.x, to.y - from.y) <= TAP_SLOP;
}
