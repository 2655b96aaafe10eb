import type { CursorImage, FixesExtension } from 'x11';
import { pause, systemClock, type Clock } from '../../platform/time/clock.js';
import { connectDisplay, request, type XConnection } from '../display/x-client.js';
import type { DisplayAddress } from '../display/x-server.js';
import { BYTES_PER_PIXEL, type Rect } from './frame-source.js';
import { ScreenSource } from './screen-source.js';

/**
 * A changed area of at most this size counts as a blinking caret. In pixels of a screen with pixel ratio 1.
 */
const CARET = { width: 4, height: 64 };

/** The parts of a {@link ScreenSource} that a camera needs. */
type CameraSource = Pick<ScreenSource, 'width' | 'height' | 'read' | 'takeChange' | 'onDamage' | 'close'>;

/**
 * Takes screenshots for programs. The camera has its own X connections, so that the viewers' streams do not
 * wait for a screenshot. Also records when the screen last changed, and ignores a blinking caret.
 */
export class ScreenCamera {
  #changedAt: number;

  constructor(
    private readonly source: CameraSource,
    private readonly readPointer: () => Promise<CursorImage & { x: number; y: number }>,
    private readonly closeConnection: () => void,
    private readonly pixelRatio: () => number,
    private readonly clock: Clock = systemClock,
  ) {
    this.#changedAt = clock.now();
    source.onDamage = () => this.#damaged();
  }

  /** @param pixelRatio returns the current number of screen pixels per CSS pixel */
  static async open(address: DisplayAddress, pixelRatio: () => number): Promise<ScreenCamera> {
    const source = await ScreenSource.open(address);
    let connection: XConnection | undefined;
    try {
      connection = await connectDisplay(address);
      const opened = connection;
      const fixes = await request<FixesExtension>((reply) => opened.x.require('fixes', reply));
      const readPointer = async () => {
        const [image, at] = await Promise.all([
          request<CursorImage>((reply) => fixes.GetCursorImage(reply)),
          request<{ rootX: number; rootY: number }>((reply) => opened.x.QueryPointer(opened.root, reply)),
        ]);
        return { ...image, x: at.rootX, y: at.rootY };
      };
      return new ScreenCamera(source, readPointer, () => opened.close(), pixelRatio);
    } catch (error) {
      source.close();
      connection?.close();
      throw error;
    }
  }

  /** Size of the screen when the camera was opened. */
  get size(): { width: number; height: number } {
    return { width: this.source.width, height: this.source.height };
  }

  /**
   * Resolves to true when the screen has not changed for `still` milliseconds. Resolves to false if this does
   * not happen within `limit` milliseconds. Ignores a blinking caret.
   *
   * @param check called before each part of the wait; an error that it throws ends the wait
   */
  async whenStill(still: number, limit: number, check = (): void => undefined): Promise<boolean> {
    if (still === 0) return true;
    const began = this.clock.now();
    for (;;) {
      check();
      const now = this.clock.now();
      const wait = this.#changedAt + still - now;
      if (wait <= 0) return true;
      const left = began + limit - now;
      if (left <= 0) return false;
      await pause(this.clock, Math.min(wait, left));
    }
  }

  /** Reads the whole screen: 4 bytes per pixel (B, G, R, unused), row by row without gaps. */
  async read(): Promise<Buffer> {
    const { width, height } = this.source;
    const picture = Buffer.allocUnsafe(width * height * BYTES_PER_PIXEL);
    const row = width * BYTES_PER_PIXEL;
    await this.source.read((block) => {
      const bytes = block.width * BYTES_PER_PIXEL;
      for (let y = 0; y < block.height; y++)
        block.data.copy(picture, (block.y + y) * row + block.x * BYTES_PER_PIXEL, y * bytes, (y + 1) * bytes);
    }, true);
    return picture;
  }

  /** Draws the pointer into a picture of the whole screen. */
  async drawPointer(picture: Buffer): Promise<void> {
    const { x, y, xhot, yhot, width, height, cursorImage } = await this.readPointer();
    const screen = this.size;
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++) {
        const [left, top] = [x - xhot + column, y - yhot + row];
        if (left < 0 || top < 0 || left >= screen.width || top >= screen.height) continue;
        const from = (row * width + column) * BYTES_PER_PIXEL;
        const to = (top * screen.width + left) * BYTES_PER_PIXEL;
        const rest = 255 - (cursorImage[from + 3] ?? 0);
        // The colours of the pointer are already multiplied by alpha.
        for (let channel = 0; channel < 3; channel++)
          picture[to + channel] =
            (cursorImage[from + channel] ?? 0) + Math.round(((picture[to + channel] ?? 0) * rest) / 255);
      }
  }

  close(): void {
    this.source.close();
    this.closeConnection();
  }

  #damaged(): void {
    const changed = this.source.takeChange();
    if (!changed || isCaret(changed, this.pixelRatio())) return;
    this.#changedAt = this.clock.now();
  }
}

function isCaret({ width, height }: Rect, pixelRatio: number): boolean {
  return width <= CARET.width * pixelRatio && height <= CARET.height * pixelRatio;
}
