import type { XTestExtension } from 'x11';
import { request, type XConnection } from '../display/x-client.js';
import type { KeySink } from './keyboard/keyboard.js';
import type { PointerSink } from './pointer.js';

/** Input through XTest. It works like input from a real device, also in the browser's own interface. */
export class DisplayInput implements KeySink, PointerSink {
  /** Size of the screen in pixels. Positions are limited to it. */
  screen: { width: number; height: number };
  /** True if a page has locked the pointer, so that only distances apply. */
  locked = false;

  private constructor(
    private readonly connection: XConnection,
    private readonly xtest: XTestExtension,
  ) {
    this.screen = connection.size;
  }

  static async open(connection: XConnection): Promise<DisplayInput> {
    const xtest = await request<XTestExtension>((reply) => connection.x.require('xtest', reply));
    return new DisplayInput(connection, xtest);
  }

  key(keycode: number, pressed: boolean): void {
    this.xtest.FakeInput(pressed ? this.xtest.KeyPress : this.xtest.KeyRelease, keycode, 0, 0, 0, 0);
  }

  button(button: number, pressed: boolean): void {
    this.xtest.FakeInput(pressed ? this.xtest.ButtonPress : this.xtest.ButtonRelease, button, 0, 0, 0, 0);
  }

  moveBy(x: number, y: number): void {
    if (!this.locked || (x === 0 && y === 0)) return;
    // Detail 1 means a relative motion.
    this.xtest.FakeInput(this.xtest.MotionNotify, 1, 0, 0, within(x), within(y));
  }

  move(x: number, y: number): void {
    if (this.locked) return;
    const { width, height } = this.screen;
    const [atX, atY] = [Math.min(x, width - 1), Math.min(y, height - 1)];
    this.xtest.FakeInput(this.xtest.MotionNotify, 0, 0, this.connection.root, atX, atY);
  }
}

/** Limits a distance to the range of X11's 16-bit numbers. */
function within(distance: number): number {
  return Math.max(-0x8000, Math.min(0x7fff, distance));
}
