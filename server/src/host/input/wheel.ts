import type { Wheel } from 'cloud-browser/protocol';
import { cdpModifiers } from './keyboard/page-keys.js';
import { cssPlace, type PageAreas } from './page-area.js';
import type { PointerSink } from './pointer.js';

/** Distance that Chromium on Linux scrolls for one notch of a wheel, in CSS pixels. */
const NOTCH_PIXELS = 120;
/**
 * Maximum number of notches of one event, so that no event delays the input of all users. Enough for the
 * largest distance of the protocol, 4,095 pixels.
 */
const MAX_NOTCHES = 35;
/** X buttons of the wheel. */
const [UP, DOWN, LEFT, RIGHT] = [4, 5, 6, 7] as const;

/**
 * Handles scrolling. For a wheel with notches, the host turns the display's wheel, and the browser scrolls
 * smoothly, as with a local wheel. A touchpad scrolls by pixels. The host sends these pixels to the page over
 * CDP, because X11's wheel has only whole notches.
 */
export class WheelInput {
  #restX = 0;
  #restY = 0;

  constructor(
    private readonly sink: PointerSink,
    private readonly areas: PageAreas,
  ) {}

  async handle(event: Wheel): Promise<void> {
    this.sink.move(event.x, event.y);
    if (event.notched) {
      this.#turn(notches(event.deltaX), LEFT, RIGHT);
      this.#turn(notches(event.deltaY), UP, DOWN);
      return;
    }
    const area = await this.areas.at(event.y);
    if (area) {
      const { deltaX, deltaY } = event;
      // The page would not see the keys of the display. A pinch on a touchpad has Control without a key.
      const modifiers = cdpModifiers(event.modifiers);
      const at = cssPlace(area, event);
      // Does not wait for the answer, because the browser answers only after it has scrolled.
      area.page.post('Input.dispatchMouseEvent', { type: 'mouseWheel', ...at, deltaX, deltaY, modifiers });
      return;
    }
    this.#restX += event.deltaX;
    this.#restY += event.deltaY;
    const x = Math.trunc(this.#restX / NOTCH_PIXELS);
    const y = Math.trunc(this.#restY / NOTCH_PIXELS);
    this.#restX -= x * NOTCH_PIXELS;
    this.#restY -= y * NOTCH_PIXELS;
    this.#turn(x, LEFT, RIGHT);
    this.#turn(y, UP, DOWN);
  }

  #turn(count: number, back: number, forth: number): void {
    const button = count < 0 ? back : forth;
    for (let turn = 0; turn < Math.min(Math.abs(count), MAX_NOTCHES); turn++) {
      this.sink.button(button, true);
      this.sink.button(button, false);
    }
  }
}

/**
 * Converts a distance to notches. The distance per notch differs between systems. So each distance except 0
 * counts as at least one notch.
 */
function notches(delta: number): number {
  if (delta === 0) return 0;
  return Math.sign(delta) * Math.max(1, Math.round(Math.abs(delta) / NOTCH_PIXELS));
}
