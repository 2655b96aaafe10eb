import type { Touch } from 'cloud-browser/protocol';
import type { CdpConnection } from '../browser/cdp.js';
import type { PageArea, PageAreas } from './page-area.js';
import type { PointerSink } from './pointer.js';

const CDP_TYPES = { start: 'touchStart', move: 'touchMove', end: 'touchEnd', cancel: 'touchCancel' } as const;
const LEFT_BUTTON = 1;

/**
 * Fingers of one user. On a page they are real touches (CDP), with all that the page and the browser make of them. The
 * browser's own interface cannot be touched that way: there the first finger is the mouse.
 */
export class TouchInput {
  /** Where the gesture began; it stays there until the last finger is up. */
  #gesture: { area: PageArea | undefined } | undefined;

  constructor(
    private readonly sink: PointerSink,
    private readonly cdp: CdpConnection,
    private readonly areas: PageAreas,
  ) {}

  async handle(event: Touch): Promise<void> {
    const first = event.points[0];
    if (!this.#gesture) {
      if (event.phase !== 'start' || !first) return;
      // The pointer is moved along: what it is over decides where the gesture goes, and the page's hover follows.
      this.sink.move(first.x, first.y);
      this.#gesture = { area: await this.areas.at(first.y) };
    }
    const { area } = this.#gesture;
    if (area) await this.#touch(area, event);
    else this.#point(event);
    if (event.points.length === 0) this.#gesture = undefined;
  }

  async releaseAll(): Promise<void> {
    if (this.#gesture)
      await this.handle({ type: 'touch', phase: 'cancel', points: [], seq: 0, modifiers: 0 });
  }

  async #touch(area: PageArea, event: Touch): Promise<void> {
    const touchPoints = event.points.map(({ id, x, y }) => ({ id, x: x - area.left, y: y - area.top }));
    await this.cdp
      .send('Input.dispatchTouchEvent', { type: CDP_TYPES[event.phase], touchPoints }, area.page)
      .catch(() => undefined);
  }

  #point(event: Touch): void {
    const first = event.points[0];
    if (first) this.sink.move(first.x, first.y);
    if (event.phase === 'start' && event.points.length === 1) this.sink.button(LEFT_BUTTON, true);
    if (event.points.length === 0) this.sink.button(LEFT_BUTTON, false);
  }
}
