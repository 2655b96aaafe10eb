import type { Touch } from 'cloud-browser/protocol';
import type { RecordedEvent } from './event-queue.js';

/**
 * Minimum movement of a finger in a swipe, in pixels. Minimum ratio of a pinch: of the distances between the
 * two fingers at its start and at its end, the longer one divided by the shorter one.
 */
const [SWIPE_PIXELS, PINCH_RATIO] = [24, 1.1];

interface Point {
  x: number;
  y: number;
}

interface Gesture {
  first: Point;
  last: Point;
  /**
   * Distances between two fingers at the start and now, in pixels, and the middle between the fingers at the
   * start.
   */
  pinch: { start: number; now: number; middle: Point } | undefined;
  pinched: boolean;
}

/** Writes the events of users' fingers: touches, swipes and pinches. */
export class TouchLog {
  readonly #gestures = new Map<string, Gesture>();

  /** @param write receives the events */
  constructor(private readonly write: (user: string, event: RecordedEvent) => void) {}

  /** Adds a touch of a user. */
  add(user: string, { phase, points }: Touch): void {
    const [first, second] = points;
    const gesture = this.#gestures.get(user);
    if (phase === 'start' && first && !second) {
      this.#gestures.set(user, { first, last: first, pinch: undefined, pinched: false });
      this.write(user, { type: 'touch', user, x: first.x, y: first.y });
    } else if (gesture) this.#follow(user, gesture, first, second);
  }

  #follow(user: string, gesture: Gesture, first: Point | undefined, second: Point | undefined): void {
    if (first && second) {
      const now = Math.hypot(second.x - first.x, second.y - first.y);
      const middle = { x: Math.round((first.x + second.x) / 2), y: Math.round((first.y + second.y) / 2) };
      gesture.pinch = gesture.pinch ? { ...gesture.pinch, now } : { start: now, now, middle };
      return;
    }
    this.#endPinch(user, gesture);
    if (first) {
      gesture.last = first;
      return;
    }
    this.#gestures.delete(user);
    const { first: from, last: to, pinched } = gesture;
    if (!pinched && Math.hypot(to.x - from.x, to.y - from.y) >= SWIPE_PIXELS)
      this.write(user, { type: 'swipe', user, x: from.x, y: from.y, to_x: to.x, to_y: to.y });
  }

  #endPinch(user: string, gesture: Gesture): void {
    const { pinch } = gesture;
    if (!pinch) return;
    gesture.pinch = undefined;
    gesture.pinched = true;
    const scale = pinch.start > 0 ? pinch.now / pinch.start : 1;
    if (Math.max(scale, 1 / scale) < PINCH_RATIO) return;
    this.write(user, { type: 'pinch', user, ...pinch.middle, scale: Math.round(scale * 100) / 100 });
  }
}
