import type { Rect } from '../../core/index.js';
import type { RemoteField, ScreenRectangle } from '../../protocol/index.js';
import type { PictureShift, Placement } from '../picture/placement.js';

/** Space between the field and the edge of the visible area. Pixels. */
const MARGIN = 8;
/** Time in which the page may change its layout after the keyboard closes. Milliseconds. */
const LAYOUT_MS = 600;

const UNSHIFTED: PictureShift = { up: 0, height: undefined, covered: 0 };

/**
 * Keeps the focused remote field above a phone's keyboard. Some browsers put the keyboard over the page,
 * others shrink the page. In both cases the picture keeps its size, and is shifted only as far as necessary.
 */
export class KeyboardPan {
  readonly #listening = new AbortController();
  readonly #resizing: ResizeObserver;
  #field: RemoteField | undefined;
  #open = false;
  /** Size of the container without a keyboard. */
  #rest = { width: 0, height: 0 };
  #shift: PictureShift = UNSHIFTED;
  #laidOut: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly container: HTMLElement,
    private readonly placement: Placement,
    private readonly onShift: (shift: PictureShift) => void,
  ) {
    const { signal } = this.#listening;
    for (const type of ['resize', 'scroll'])
      window.visualViewport?.addEventListener(type, () => this.#update(), { signal });
    // The page, or an element around the container, may scroll under the open keyboard.
    addEventListener('scroll', () => this.#update(), { capture: true, passive: true, signal });
    this.#resizing = new ResizeObserver(() => {
      if (!this.#open) this.#endHold();
      this.#update();
    });
    this.#resizing.observe(container);
  }

  /** Sets the focused remote field. `open` is true if a phone's keyboard is open. */
  follow(field: RemoteField | undefined, open: boolean): void {
    this.#field = field;
    if (open !== this.#open) {
      this.#open = open;
      clearTimeout(this.#laidOut);
      if (!open) this.#laidOut = setTimeout(() => this.#endHold(), LAYOUT_MS);
    }
    this.#update();
  }

  close(): void {
    this.#listening.abort();
    this.#resizing.disconnect();
    clearTimeout(this.#laidOut);
    this.#set(UNSHIFTED);
  }

  #endHold(): void {
    const { width, height } = this.container.getBoundingClientRect();
    this.#rest = { width, height };
    this.#set({ ...this.#shift, height: undefined });
  }

  #update(): void {
    const box = this.container.getBoundingClientRect();
    if (!this.#open) return this.#set({ ...this.#shift, up: 0, covered: 0 });
    // The user has turned the phone on its side, so the earlier height no longer applies. The height without
    // the keyboard is now about the earlier width. With the low strip above the keyboard, a session that
    // follows the size of the picture would get a wide and low screen, until the keyboard closes.
    const isTurned = box.width > this.#rest.width && box.height < this.#rest.width;
    if (isTurned && this.#rest.width < this.#rest.height)
      this.#rest = { width: box.width, height: this.#rest.width };
    const { width, height } = this.#rest;
    // After another change of the width, the earlier height does not apply either.
    const held = box.width === width && box.height < height ? height : undefined;
    this.#set({ ...this.#shift, height: held });
    const { offsetTop = 0, height: seen = innerHeight } = window.visualViewport ?? {};
    const covered = Math.max(0, Math.round(box.bottom - offsetTop - seen));
    this.#set({ up: this.#upFor(box), height: held, covered });
  }

  #upFor(box: DOMRect): number {
    const { offsetTop = 0, height = innerHeight } = window.visualViewport ?? {};
    const top = Math.max(box.top, offsetTop) + MARGIN;
    const bottom = Math.min(box.bottom, offsetTop + height) - MARGIN;
    const { rectangle = null, caret = null } = this.#field ?? {};
    const whole = rectangle && this.#onPage(rectangle);
    const fits = whole && whole.height <= bottom - top;
    const seen = fits ? whole : (caret && this.#onPage(caret)) || whole;
    if (!seen) return 0;
    const below = Math.max(0, seen.top + seen.height - bottom);
    // The remote page may have scrolled the field out of the screen. The picture does not follow it there.
    const { size } = this.placement;
    const picture = this.#onPage([0, 0, size.width, size.height]);
    const least = Math.min(0, picture.top - (top - MARGIN));
    const most = Math.max(0, picture.top + picture.height - bottom);
    return Math.round(Math.min(Math.max(Math.min(below, seen.top - top), least), most));
  }

  /** Returns the place of a remote rectangle on the page without the shift. */
  #onPage([left, top, width, height]: ScreenRectangle): Rect {
    const { size } = this.placement;
    const from = this.placement.toClient(left / size.width, top / size.height);
    const to = this.placement.toClient((left + width) / size.width, (top + height) / size.height);
    return { left: from.x, top: from.y + this.#shift.up, width: to.x - from.x, height: to.y - from.y };
  }

  #set(shift: PictureShift): void {
    const { up, height, covered } = this.#shift;
    if (shift.up === up && shift.height === height && shift.covered === covered) return;
    this.#shift = shift;
    this.placement.shift = shift;
    this.onShift(shift);
  }
}
