import type { PointerButton } from 'cloud-browser/protocol';
import type { RecordedEvent } from './event-queue.js';

/** Maximum time in milliseconds and maximum distance in pixels between two presses of a double click. */
const [DOUBLE_CLICK_MS, DOUBLE_CLICK_PIXELS] = [500, 5];
/** Maximum `count` of clicks in a row. A triple click selects a paragraph. */
const MAX_COUNT = 3;
/** Minimum pixels between the press and the release of a drag. */
const DRAG_PIXELS = 8;

interface Press {
  x: number;
  y: number;
  button: number;
  time: number;
  count: number;
}

/** Writes the events of users' mouse buttons: clicks, and the ends of drags. */
export class PressLog {
  /** The last press of each user. */
  readonly #presses = new Map<string, Press>();

  /** @param write receives the events */
  constructor(private readonly write: (user: string, event: RecordedEvent) => void) {}

  /** Adds a press or a release at a time in milliseconds. */
  add(user: string, { x, y, button, pressed }: PointerButton, time: number): void {
    const last = this.#presses.get(user);
    const distance = last ? Math.hypot(x - last.x, y - last.y) : Infinity;
    if (!pressed) {
      if (last?.button === button && distance >= DRAG_PIXELS)
        this.write(user, { type: 'drag', user, x: last.x, y: last.y, to_x: x, to_y: y, button });
      return;
    }
    const again =
      last?.button === button && time - last.time < DOUBLE_CLICK_MS && distance <= DOUBLE_CLICK_PIXELS;
    const count = again ? Math.min(MAX_COUNT, last.count + 1) : 1;
    this.#presses.set(user, { x, y, button, time, count });
    this.write(user, { type: 'click', user, x, y, button, ...(count > 1 && { count }) });
  }
}
