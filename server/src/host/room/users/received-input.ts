import type { InputEvent } from 'cloud-browser/protocol';
import { SHORTCUT } from '../../input/keyboard/keyboard.js';

/**
 * Number of the newest input event that has arrived from a user. After a lost connection, the client sends
 * the later events again. The host counts an event when it arrives, not when it is performed: an event that
 * waits is performed after the end of its connection too.
 */
export class ReceivedInput {
  #seq = 0;
  /** False if the browser has changed since the user's last message. */
  #isCurrent = true;

  /** Number of the newest event. Null if the events after it must not be sent again. */
  get newest(): number | null {
    return this.#isCurrent ? this.#seq : null;
  }

  /** Records an input event. */
  add(seq: number): void {
    this.#seq = seq;
  }

  /** Records a message of any kind. Its connection works, so the user has seen earlier changes. */
  heard(): void {
    this.#isCurrent = true;
  }

  /**
   * Records that the browser shows another page, or that other users may see or control it. If the user's
   * connection is already lost, the user did not see this. The lost events are meant for what was before.
   */
  outdated(): void {
    this.#isCurrent = false;
  }

  /** Starts again, for a client that does not continue the numbers of the user's earlier client. */
  reset(): void {
    this.#seq = 0;
    this.#isCurrent = true;
  }
}

/** True for an event of one user that can bring another page, tab or field to the front for all users. */
export function movesAway(event: InputEvent): boolean {
  switch (event.type) {
    case 'button':
      return event.pressed;
    case 'touch':
      return event.phase === 'start';
    case 'key':
      return event.pressed && (event.modifiers & SHORTCUT) !== 0;
    default:
      return false;
  }
}
