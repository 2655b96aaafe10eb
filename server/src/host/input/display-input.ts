import type { XTestExtension } from 'x11';
import { request, roundTrip, type XConnection } from '../display/x-client.js';
import { PointerCover } from '../display/windows/pointer-cover.js';
import type { KeySink } from './keyboard/keyboard.js';
import type { PointerSink } from './pointer.js';

/**
 * Minimum time between two presses, in milliseconds. A press is delayed by this time if less time has passed
 * since the previous press, or if the display may not have handled the previous press yet. Without the delay,
 * a display that had no processor time could handle several presses in one millisecond. Chromium treats
 * presses with the same time as one press, so a double click would be lost.
 */
const APART_MS = 2;
/** X buttons of the wheel. Their presses are not delayed, because they are never part of a double click. */
const WHEEL_BUTTONS: ReadonlySet<number> = new Set([4, 5, 6, 7]);

/** Input through XTest. It works like input from a real device, also in the browser's own interface. */
export class DisplayInput implements KeySink, PointerSink {
  /** Size of the screen in pixels. Positions beyond its edges are moved to the edge. */
  screen: { width: number; height: number };
  /** True if a page has locked the pointer. Then `move` does nothing, and `moveBy` moves the pointer. */
  locked = false;
  /** Number of users who hold each X button. */
  readonly #holders = new Map<number, number>();
  #pressedAt = -Infinity;
  /** True if the display has handled the last press. */
  #handled = true;
  /** Last position that {@link move} has set. */
  #at: { x: number; y: number } | undefined;
  readonly #cover: PointerCover;

  private constructor(
    private readonly connection: XConnection,
    private readonly xtest: XTestExtension,
  ) {
    this.screen = connection.size;
    this.#cover = new PointerCover(connection);
  }

  static async open(connection: XConnection): Promise<DisplayInput> {
    const xtest = await request<XTestExtension>((reply) => connection.x.require('xtest', reply));
    return new DisplayInput(connection, xtest);
  }

  key(keycode: number, pressed: boolean): void {
    this.xtest.FakeInput(pressed ? this.xtest.KeyPress : this.xtest.KeyRelease, keycode, 0, 0, 0, 0);
  }

  /**
   * Presses or releases a button for one user. As with several mice on one display, the first holder presses
   * the button and the last holder releases it.
   */
  button(button: number, pressed: boolean): void {
    const others = Math.max(0, (this.#holders.get(button) ?? 0) - (pressed ? 0 : 1));
    this.#holders.set(button, pressed ? others + 1 : others);
    if (others > 0) return;
    if (!pressed) this.xtest.FakeInput(this.xtest.ButtonRelease, button, 0, 0, 0, 0);
    else if (WHEEL_BUTTONS.has(button)) this.xtest.FakeInput(this.xtest.ButtonPress, button, 0, 0, 0, 0);
    else this.#press(button);
  }

  #press(button: number): void {
    const apart = this.#handled && performance.now() - this.#pressedAt >= APART_MS;
    this.xtest.FakeInput(this.xtest.ButtonPress, button, apart ? 0 : APART_MS, 0, 0, 0);
    const at = (this.#pressedAt = performance.now());
    this.#handled = false;
    const handled = (): void => {
      if (this.#pressedAt === at) this.#handled = true;
    };
    // A rejection means that the connection to the display is closed. No further press follows.
    roundTrip(this.connection).then(handled, handled);
  }

  moveBy(x: number, y: number): void {
    if (!this.locked || (x === 0 && y === 0)) return;
    // Detail 1 means a relative motion.
    this.xtest.FakeInput(this.xtest.MotionNotify, 1, 0, 0, within(x), within(y));
    this.#cover.hide();
  }

  move(x: number, y: number): void {
    if (this.locked) return;
    const at = (this.#at = this.#onScreen(x, y));
    this.xtest.FakeInput(this.xtest.MotionNotify, 0, 0, this.connection.root, at.x, at.y);
    this.#cover.hide();
  }

  leave(x: number, y: number): void {
    const at = this.#onScreen(x, y);
    const isHere = this.#at?.x === at.x && this.#at.y === at.y;
    // During a drag, the page must keep the pointer. Its button may be held by another user.
    const isHeld = [...this.#holders.values()].some((holders) => holders > 0);
    if (isHere && !isHeld && !this.locked) this.#cover.show(at.x, at.y);
  }

  #onScreen(x: number, y: number): { x: number; y: number } {
    const { width, height } = this.screen;
    return { x: Math.min(x, width - 1), y: Math.min(y, height - 1) };
  }
}

/** Limits a distance to the range of X11's 16-bit numbers. */
function within(distance: number): number {
  return Math.max(-0x8000, Math.min(0x7fff, distance));
}
