import type { PointerButton, PointerMove } from 'cloud-browser/protocol';
import { systemClock, type Clock } from '../../platform/time/clock.js';
import { cdpModifiers } from './keyboard/page-keys.js';
import { cssPlace, type PageArea, type PageAreas } from './page-area.js';
import type { Pointer } from './pointer.js';

/** Two presses within this time and distance are a double click, as in Chromium. Milliseconds and pixels. */
const DOUBLE_CLICK_MS = 500;
const DOUBLE_CLICK_PIXELS = 4;

/** The parts of the session's devices that a stylus needs. */
export interface PenDevices {
  areas: Pick<PageAreas, 'underPointer'>;
  /** Resolves when the browser has handled the earlier input of the display. */
  sync: { settled(): Promise<void> };
  /** True if a page has locked the pointer. */
  sink: { readonly locked: boolean };
}

/** A press of the tip on a page. */
interface Press {
  area: PageArea;
  x: number;
  y: number;
  modifiers: number;
  /** Number of this press in a double click, as in `UIEvent.detail`. */
  count: number;
  time: number;
}

/**
 * The stylus of one user. While its tip is down on a page, the page receives it over CDP, because X11's mouse
 * has neither pressure nor tilt. Everything else is input of the user's mouse: a stylus that hovers, its side
 * button, and a tip on the browser's own interface, which CDP's input does not reach.
 */
export class Pen {
  #down: Press | undefined;
  #last: Press | undefined;

  constructor(
    private readonly pointer: Pick<Pointer, 'move' | 'handle' | 'holdsAny'>,
    private readonly devices: PenDevices,
    private readonly clock: Pick<Clock, 'now'> = systemClock,
  ) {}

  /** True if the tip is down on a page. */
  get isDown(): boolean {
    return this.#down !== undefined;
  }

  /** Handles a move of the user's mouse or stylus. */
  move(event: PointerMove): void {
    const down = this.#down;
    // Leaves the display's pointer where it is. Otherwise the page would also get moves of a mouse without a
    // button, at which some pages end a line.
    if (!down) return this.pointer.move(event);
    if (!event.pen) return;
    const { x, y, modifiers, pen } = event;
    Object.assign(down, { x, y, modifiers });
    this.#send('mouseMoved', down, { buttons: 1, force: pen.pressure, tiltX: pen.tiltX, tiltY: pen.tiltY });
  }

  /** Handles a button of the user's mouse, or the tip or the side button of the stylus. */
  handle(event: PointerButton): Promise<void> | void {
    const isTip = event.button === 0;
    if (isTip && !event.pressed && this.#down) {
      Object.assign(this.#down, { x: event.x, y: event.y, modifiers: event.modifiers });
      return this.lift();
    }
    if (this.#down) return;
    const mayDraw = isTip && event.pressed && !this.pointer.holdsAny && !this.devices.sink.locked;
    if (mayDraw && event.pen) return this.#press(event, event.pen);
    this.pointer.handle(event);
  }

  /** Lifts the tip at its last position. */
  lift(): void {
    const down = this.#down;
    this.#down = undefined;
    if (down) this.#send('mouseReleased', down, { buttons: 0 });
  }

  async #press(event: PointerButton, pen: NonNullable<PointerButton['pen']>): Promise<void> {
    const { x, y, modifiers } = event;
    // Shows if the page is at this position, and not a menu, a dialog or another window above it.
    this.pointer.move(event);
    await this.devices.sync.settled();
    const area = await this.devices.areas.underPointer().catch(() => undefined);
    if (!area) {
      this.pointer.handle(event);
      return;
    }
    const time = this.clock.now();
    const down = { area, x, y, modifiers, time, count: this.#countOf(x, y, time) };
    this.#down = this.#last = down;
    this.#send('mousePressed', down, { buttons: 1, force: pen.pressure, tiltX: pen.tiltX, tiltY: pen.tiltY });
  }

  #countOf(x: number, y: number, time: number): number {
    const last = this.#last;
    if (!last || time - last.time > DOUBLE_CLICK_MS) return 1;
    return Math.hypot(x - last.x, y - last.y) <= DOUBLE_CLICK_PIXELS * last.area.scale ? last.count + 1 : 1;
  }

  /** Does not wait for an answer, because the page answers only when it has handled the event. */
  #send(
    type: 'mousePressed' | 'mouseMoved' | 'mouseReleased',
    { area, x, y, modifiers, count }: Press,
    state: { buttons: number; force?: number; tiltX?: number; tiltY?: number },
  ): void {
    area.page.post('Input.dispatchMouseEvent', {
      ...{ type, ...cssPlace(area, { x, y }), modifiers: cdpModifiers(modifiers), ...state },
      ...{ button: 'left', clickCount: count, pointerType: 'pen' },
    });
  }
}
