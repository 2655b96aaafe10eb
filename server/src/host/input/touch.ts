import type { Touch, TouchPoint } from 'cloud-browser/protocol';
import type { TouchScreen } from '../display/touch-screen.js';

/** The touch screen that all users share. */
export type TouchSink = Pick<TouchScreen, 'press' | 'move' | 'lift'>;

/**
 * Fingers of one user. Each event lists all fingers that this user has on the screen. A finger that is no
 * longer listed is lifted, so the loss of one event does no harm. A cancelled finger is also lifted, because
 * a touch screen cannot cancel a touch.
 */
export class TouchInput {
  /** Numbers of the fingers on the shared touch screen, by the user's own finger ids. */
  readonly #fingers = new Map<number, number>();

  constructor(private readonly glass: TouchSink) {}

  handle(event: Touch): void {
    const named = new Set(event.points.map(({ id }) => id));
    for (const id of [...this.#fingers.keys()]) if (!named.has(id)) this.#lift(id);
    for (const point of event.points) {
      const finger = this.#fingers.get(point.id);
      if (finger !== undefined) this.glass.move(finger, point);
      else if (event.phase === 'start') this.#press(point);
    }
  }

  /** True if a finger of the user is on the screen. */
  get holdsAny(): boolean {
    return this.#fingers.size > 0;
  }

  releaseAll(): void {
    for (const id of [...this.#fingers.keys()]) this.#lift(id);
  }

  #press(point: TouchPoint): void {
    const finger = this.glass.press(point);
    if (finger !== undefined) this.#fingers.set(point.id, finger);
  }

  #lift(id: number): void {
    const finger = this.#fingers.get(id);
    if (finger === undefined) return;
    this.#fingers.delete(id);
    this.glass.lift(finger);
  }
}
