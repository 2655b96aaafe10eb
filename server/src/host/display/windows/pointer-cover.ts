import type { CursorImage } from 'x11';
import type { XConnection } from '../x-client.js';

/** Class of a window that receives input and draws nothing; X11 protocol, `CreateWindow`. */
const INPUT_ONLY = 2;
const BLACK = { R: 0, G: 0, B: 0 };
/**
 * Size in pixels of the invisible picture that the pointer has over the cover. No program has a reason to use
 * a pointer of this size, so {@link isCoverCursor} recognises it.
 */
const [WIDTH, HEIGHT] = [3, 1];

/**
 * An invisible window of one pixel. While it is under the display's pointer, the pointer is outside of the
 * browser, so pages receive `mouseleave`. The pointer itself does not move: on a screen that is full of
 * browser there is no other place for it.
 */
export class PointerCover {
  #window: number | undefined;
  #shown = false;

  constructor(private readonly connection: XConnection) {}

  /** Puts the window at the position of the pointer. */
  show(x: number, y: number): void {
    const { x: client } = this.connection;
    this.#window ??= this.#create();
    client.MoveWindow(this.#window, x, y);
    client.RaiseWindow(this.#window);
    if (!this.#shown) client.MapWindow(this.#window);
    this.#shown = true;
  }

  /**
   * Removes the window. Call it after the pointer has moved away. Otherwise the pointer would first enter the
   * page at its old position.
   */
  hide(): void {
    if (this.#shown && this.#window !== undefined) this.connection.x.UnmapWindow(this.#window);
    this.#shown = false;
  }

  /**
   * Creates the window. The window manager ignores it. Its pointer has no visible pixel, and is recognised by
   * its size, so that viewers keep the shape that the pointer had in the page.
   */
  #create(): number {
    const { x, root } = this.connection;
    const [pixmap, context, cursor, window] = [x.AllocID(), x.AllocID(), x.AllocID(), x.AllocID()];
    x.CreatePixmap(pixmap, root, 1, WIDTH, HEIGHT);
    x.CreateGC(context, pixmap, { foreground: 0 });
    x.PolyFillRectangle(pixmap, context, [0, 0, WIDTH, HEIGHT]);
    x.CreateCursor(cursor, pixmap, pixmap, BLACK, BLACK, 0, 0);
    x.FreeGC(context);
    x.FreePixmap(pixmap);
    const values = { overrideRedirect: 1, cursor } as const;
    x.CreateWindow(window, root, 0, 0, 1, 1, 0, 0, INPUT_ONLY, 0, values);
    return window;
  }
}

/** True for the picture of the pointer over a {@link PointerCover}, whose pixels are all invisible. */
export function isCoverCursor({ width, height }: Pick<CursorImage, 'width' | 'height'>): boolean {
  return width === WIDTH && height === HEIGHT;
}
