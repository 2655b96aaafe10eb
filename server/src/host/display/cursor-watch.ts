import { PNG } from 'pngjs';
import type { Cursor } from 'cloud-browser/protocol';
import type { CursorImage, FixesExtension, X11Event } from 'x11';
import { TokenBucket } from '../../platform/rates/token-bucket.js';
import { systemClock, type Clock, type Timer } from '../../platform/time/clock.js';
import { isCoverCursor } from './windows/pointer-cover.js';
import { openOn, request, type XConnection } from './x-client.js';
import type { DisplayAddress } from './x-server.js';

/** Minimum time in milliseconds between two reads of the cursor. Pages may change the cursor more often. */
const INTERVAL_MS = 15;
/**
 * Rate limit for the characters of the messages. The average is about half a megabit per second. A page can
 * change a picture of hundreds of kilobytes at every frame, and the messages are never left out for a slow
 * viewer. After a pause, the burst allows a large picture and the usual shapes after it without a delay.
 */
const CHARS = { perSecond: 64_000, burst: 400_000 };

/**
 * Reports the shape of the display's pointer whenever it changes. Viewers draw the pointer themselves, so it
 * moves without lag.
 */
export class CursorWatch {
  #pending: Timer | undefined;
  /** A picture that the rate limit has refused: its size in pixels, and when it can be sent. */
  #refused: { pixels: number; until: number } | undefined;
  /** True if the pending read waits for the rate limit. */
  #rests = false;
  #closed = false;
  readonly #chars: TokenBucket;

  private constructor(
    private readonly connection: XConnection,
    private readonly fixes: FixesExtension,
    private readonly onChange: (cursor: Cursor) => void,
    private readonly clock: Clock = systemClock,
  ) {
    this.#chars = new TokenBucket(CHARS, clock);
    connection.x.on('event', (event: X11Event) => {
      if (event.name !== 'CursorNotify') return;
      // The new picture may be smaller than the one that waits for the rate limit.
      if (this.#rests) this.#cancel();
      this.#schedule();
    });
    fixes.SelectCursorInput(connection.root, fixes.CursorNotifyMask.DisplayCursor);
    this.#schedule();
  }

  /** Reports the current shape, then every change. */
  static start(address: DisplayAddress, onChange: (cursor: Cursor) => void): Promise<CursorWatch> {
    return openOn(address, async (connection) => {
      const fixes = await request<FixesExtension>((reply) => connection.x.require('fixes', reply));
      return new CursorWatch(connection, fixes, onChange);
    });
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
    this.connection.close();
  }

  #cancel(): void {
    this.#pending?.cancel();
    this.#pending = undefined;
    this.#rests = false;
  }

  #schedule(wait = INTERVAL_MS): void {
    this.#pending ??= this.clock.setTimeout(() => {
      this.#pending = undefined;
      this.#rests = false;
      void this.#read();
    }, wait);
  }

  async #read(): Promise<void> {
    const image = await request<CursorImage>((reply) => this.fixes.GetCursorImage(reply)).catch(
      () => undefined,
    );
    // The pointer has left the picture. Viewers that stay keep the shape that it had in the page.
    if (!image || this.#closed || (isCoverCursor(image) && !isVisible(image))) return;
    const pixels = image.width * image.height;
    const rest = (this.#refused?.until ?? 0) - this.clock.now();
    // To encode a picture takes milliseconds. So a picture that is as large as the refused one waits too.
    if (this.#refused && rest > 0 && pixels >= this.#refused.pixels && isVisible(image)) {
      this.#rest(rest);
      return;
    }
    this.#refused = undefined;
    const cursor = cursorOf(image);
    // The bucket never has more than a burst.
    const cost = Math.min(cursor.url?.length ?? 0, CHARS.burst);
    if (this.#chars.take(cost)) {
      this.onChange(cursor);
      return;
    }
    const wait = Math.max(INTERVAL_MS, Math.ceil(this.#chars.wait(cost)));
    this.#refused = { pixels, until: this.clock.now() + wait };
    this.#rest(wait);
  }

  #rest(milliseconds: number): void {
    if (this.#pending) return;
    this.#schedule(milliseconds);
    this.#rests = true;
  }
}

function isVisible({ width, height, cursorImage }: CursorImage): boolean {
  for (let alpha = 3; alpha < width * height * 4; alpha += 4) if (cursorImage[alpha]) return true;
  return false;
}

/**
 * Converts a pointer's picture into the message for viewers. X programs hide the pointer with a picture that
 * has no visible pixel.
 */
export function cursorOf(image: CursorImage): Cursor {
  const { width, height, xhot, yhot, cursorImage: pixels } = image;
  if (!isVisible(image)) return { type: 'cursor', shape: 'none' };
  const png = new PNG({ width, height });
  for (let offset = 0; offset < width * height * 4; offset += 4) {
    const alpha = pixels[offset + 3] ?? 0;
    // X has premultiplied colours and blue first. PNG has neither.
    for (let channel = 0; channel < 3; channel++) {
      const value = pixels[offset + 2 - channel] ?? 0;
      png.data[offset + channel] = alpha === 0 ? 0 : Math.min(255, Math.round((value * 255) / alpha));
    }
    png.data[offset + 3] = alpha;
  }
  const url = `data:image/png;base64,${PNG.sync.write(png, { filterType: 0 }).toString('base64')}`;
  return { type: 'cursor', shape: 'image', url, width, height, hotX: xhot, hotY: yhot };
}
