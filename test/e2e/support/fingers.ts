import type { CDPSession } from '@playwright/test';

type Place = readonly [x: number, y: number];

/** The number of moves a finger makes from one place to another. */
const STEPS = 30;

/**
 * Fingers on a viewer's own screen. Playwright's `touchscreen` can only tap. Positions are pixels of
 * the screen. Each finger has a number. A command of CDP contains the fingers that change, with their
 * numbers.
 */
export class Fingers {
  readonly #down = new Map<number, Place>();

  constructor(private readonly cdp: CDPSession) {}

  async press(finger: number, at: Place): Promise<void> {
    this.#down.set(finger, at);
    await this.#send('touchStart', [finger]);
  }

  /** Moves fingers together, in one step. */
  async move(...places: [finger: number, at: Place][]): Promise<void> {
    for (const [finger, at] of places) this.#down.set(finger, at);
    await this.#send(
      'touchMove',
      places.map(([finger]) => finger),
    );
  }

  async lift(...fingers: number[]): Promise<void> {
    await this.#send('touchEnd', fingers);
    for (const finger of fingers) this.#down.delete(finger);
  }

  async tap(at: Place): Promise<void> {
    await this.press(0, at);
    await this.lift(0);
  }

  /** Draws one finger over the glass. */
  async swipe(from: Place, to: Place): Promise<void> {
    await this.press(0, from);
    for (let step = 1; step <= STEPS; step++) await this.move([0, between(from, to, step / STEPS)]);
    await this.lift(0);
  }

  /** Pinches with two fingers side by side around a point, from one distance to another, in pixels. */
  async pinch([x, y]: Place, from: number, to: number): Promise<void> {
    const pair = (apart: number): [Place, Place] => [
      [x - apart / 2, y],
      [x + apart / 2, y],
    ];
    const [left, right] = pair(from);
    await this.press(0, left);
    await this.press(1, right);
    for (let step = 1; step <= STEPS; step++) {
      const [one, other] = pair(from + ((to - from) * step) / STEPS);
      await this.move([0, one], [1, other]);
    }
    await this.lift(0, 1);
  }

  async #send(type: 'touchStart' | 'touchMove' | 'touchEnd', fingers: number[]): Promise<void> {
    const touchPoints = fingers.map((id) => {
      const [x = 0, y = 0] = this.#down.get(id) ?? [];
      return { id, x, y };
    });
    await this.cdp.send('Input.dispatchTouchEvent', { type, touchPoints });
  }
}

function between([x, y]: Place, [toX, toY]: Place, part: number): Place {
  return [x + (toX - x) * part, y + (toY - y) * part];
}
