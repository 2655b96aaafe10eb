import type { InputEvent } from 'cloud-browser/protocol';

/**
 * Time in milliseconds for which programs begin no command after a person's press. In this time the page and
 * the browser handle the press, and the host encodes the new picture.
 */
const HOLD_MS = 50;
/**
 * Minimum time between two of these pauses. Without it, a person who types all the time would stop programs.
 * Milliseconds.
 */
const INTERVAL_MS = 50;

/**
 * Makes programs wait for a moment when a person acts, so that the person sees the effect in the picture at
 * once.
 */
export class PeopleFirst {
  #heldUntil = -Infinity;

  /** @param now returns the current time in milliseconds */
  constructor(private readonly now: () => number) {}

  /** Call this with each accepted input event of a person. */
  acted(event: InputEvent): void {
    if (!isPress(event)) return;
    const now = this.now();
    if (now >= this.#heldUntil + INTERVAL_MS) this.#heldUntil = now + HOLD_MS;
  }

  /** Milliseconds until the next command of a program may begin. 0 if it may begin now. */
  get wait(): number {
    return Math.max(0, this.#heldUntil - this.now());
  }
}

/** True for input after which the picture usually changes. Moves do not count, because there are too many. */
function isPress(event: InputEvent): boolean {
  switch (event.type) {
    case 'button':
    case 'key':
      return event.pressed;
    case 'touch':
      return event.phase !== 'move';
    case 'wheel':
    case 'text':
    case 'paste':
      return true;
    default:
      return false;
  }
}
