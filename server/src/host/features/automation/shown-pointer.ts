import type { PageGeometry, Pages } from '../../browser/pages/pages.js';
import type { Clock } from '../../../platform/time/clock.js';

/**
 * Time for which a page's position on the screen is used before it is read again. The position changes when
 * the toolbar or the window's size changes. Milliseconds.
 */
const PLACE_LIFETIME_MS = 1_000;

/** Position of the page that users see. */
interface Place extends PageGeometry {
  targetId: string | undefined;
  time: number;
}

/**
 * Shows viewers the pointer of a program that sends mouse events to a page. Ignores events for pages that
 * users do not see.
 */
export class ShownPointer {
  #place: Place | undefined;
  /** True while a position is being read. The newest event is shown when the position is known. */
  #reading = false;
  #newest: { targetId: string; x: number; y: number } | undefined;

  /** @param show shows the pointer at a position in pixels of the screen */
  constructor(
    private readonly pages: Pick<Pages, 'front' | 'mainFrame' | 'geometry'>,
    private readonly clock: Clock,
    private readonly show: (x: number, y: number) => void,
  ) {}

  /** Shows a mouse event. The position is in CSS pixels of the page. */
  moved(targetId: string, x: unknown, y: unknown): void {
    if (typeof x !== 'number' || typeof y !== 'number') return;
    this.#newest = { targetId, x, y };
    const fresh = this.#place && this.clock.now() - this.#place.time < PLACE_LIFETIME_MS;
    if (fresh) this.#showNewest();
    else if (!this.#reading) void this.#read();
  }

  async #read(): Promise<void> {
    this.#reading = true;
    try {
      const page = await this.pages.front();
      const geometry = page && (await this.pages.geometry(page));
      if (geometry)
        this.#place = { ...geometry, targetId: this.pages.mainFrame(page), time: this.clock.now() };
      this.#showNewest();
    } catch {
      // If the page does not answer, no pointer is shown until the next event.
    } finally {
      this.#reading = false;
    }
  }

  #showNewest(): void {
    const [place, newest] = [this.#place, this.#newest];
    this.#newest = undefined;
    if (!place || !newest || newest.targetId !== place.targetId) return;
    this.show(place.left + newest.x * place.scale, place.top + newest.y * place.scale);
  }
}
