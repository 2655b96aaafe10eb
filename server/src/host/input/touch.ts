import type { Touch, TouchPoint } from 'cloud-browser/protocol';
import type { TouchScreen } from '../display/touch-screen.js';

/** The glass that all users touch. */
export type TouchSink = Pick<TouchScreen, 'press' | 'move' | 'lift'>;

/**
 * Fingers of one user. Events say which fingers are on the glass, so a lost one does no harm: whatever is not named any
 * more is lifted. A cancelled finger is lifted as well, for a touch screen cannot take a touch back.
 */
export class TouchInput {
  /** Numbers of the fingers on the shared glass, by the user's own. */
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
