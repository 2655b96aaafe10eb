import type { XTestExtension } from 'x11';
import { request, type XConnection } from '../display/x-client.js';
import type { KeySink } from './keyboard.js';
import type { PointerSink } from './pointer.js';

/** Input as a real device would give it, through XTest: the browser's own interface reacts to it like the page does. */
export class DisplayInput implements KeySink, PointerSink {
  private constructor(
    private readonly connection: XConnection,
    private readonly xtest: XTestExtension,
  ) {}

  static async open(connection: XConnection): Promise<DisplayInput> {
    const xtest = await request<XTestExtension>((reply) => connection.x.require('xtest', reply));
    return new DisplayInput(connection, xtest);
  }

  key(keycode: number, pressed: boolean): void {
    this.#fake(pressed ? this.xtest.KeyPress : this.xtest.KeyRelease, keycode);
  }

  button(button: number, pressed: boolean): void {
    this.#fake(pressed ? this.xtest.ButtonPress : this.xtest.ButtonRelease, button);
  }

  move(x: number, y: number): void {
    const screen = this.connection.display.screen[0];
    const right = (screen?.pixel_width ?? 1) - 1;
    const bottom = (screen?.pixel_height ?? 1) - 1;
    this.#fake(this.xtest.MotionNotify, 0, Math.min(x, right), Math.min(y, bottom));
  }

  #fake(type: number, detail: number, x = 0, y = 0): void {
    this.xtest.FakeInput(type, detail, 0, type === this.xtest.MotionNotify ? this.connection.root : 0, x, y);
  }
}
