import { pause, type Clock, type Timer } from '../../../../platform/time/clock.js';
import { withTimeout } from '../../../../platform/time/timeout.js';
import { blacken } from '../../../capture/blacken.js';
import {
  BAND_ROWS,
  BYTES_PER_PIXEL,
  onGrid,
  union,
  type Block,
  type BlockSink,
  type FrameSource,
  type Rect,
} from '../../../capture/frame-source.js';
import type { OpenedScreen } from './masked-screen.js';
import { DISPLAY_DELAY_MS, MaskHistory, type BlackAreas, type MaskedAreas } from './mask-history.js';

/**
 * Milliseconds for which a picture waits after it was read. While a page scrolls, the display may show a
 * field at its new position before the page reports this position.
 */
export const HOLD_MS = 200;
/** Milliseconds between two requests for the places of fields while a picture waits. */
const SAMPLE_MS = 50;
/** Timeout for a request for the places of fields, milliseconds. After it, the whole picture is black. */
const ANSWER_MS = 2_000;
/**
 * Pixels around a field that are black too. In 4:2:0 video, two columns and two rows share one colour value,
 * so a field's colours reach the pixels beside it.
 */
const MARGIN = 2;

/** The screen with black areas in place of masked fields. Each picture waits until the areas are known. */
export class MaskedSource implements FrameSource {
  onDamage: (() => void) | undefined;
  /** The screen as it was last read, with visible fields. This buffer is never passed out of this class. */
  readonly #screen: Buffer;
  readonly #history = new MaskHistory();
  #black: BlackAreas | undefined;
  /** True if the black areas must be calculated again, although the screen did not change. */
  #stale = false;
  #again: Timer | undefined;
  #closed = false;
  #displayEnded = false;
  /** Ends the running read of the screen with an error. */
  #interrupt: () => void = () => undefined;

  /**
   * @param source the screen with visible fields; the caller closes it
   * @param areas requests the places of masked fields from the pages
   */
  constructor(
    private readonly source: Omit<OpenedScreen, 'close'>,
    private readonly areas: () => Promise<MaskedAreas>,
    private readonly clock: Clock,
  ) {
    this.#screen = Buffer.alloc(source.width * source.height * BYTES_PER_PIXEL);
    source.onDamage = () => {
      void this.#sample();
      this.onDamage?.();
    };
    void source.ended.then(() => {
      this.#displayEnded = true;
      this.#interrupt();
    });
  }

  get width(): number {
    return this.source.width;
  }

  get height(): number {
    return this.source.height;
  }

  get damaged(): boolean {
    return this.#stale || this.source.damaged;
  }

  /**
   * Reads the screen, and passes the changed area with black fields to `sink`. Rejects if the display ends.
   */
  async read(sink: BlockSink, everything: boolean): Promise<Rect | undefined> {
    this.#again?.cancel();
    // At first, the display may show older positions of fields than the first sample. So this source takes
    // samples until the display must show the positions of the first sample or newer ones.
    if (this.#history.isEmpty) await this.#watch(DISPLAY_DELAY_MS);
    await this.#sample();
    this.#stale = false;
    const changed = await this.#readScreen(everything);
    const readAt = this.clock.now();
    await this.#watch(HOLD_MS);
    const black = this.#history.blackAt(readAt, { width: this.width, height: this.height });
    const area = this.#areaOf(changed, black);
    this.#black = black;
    if (!black.atRest) this.#decideAgain();
    if (area) this.#pass(area, black.areas, sink);
    return area;
  }

  /** Ends the timers. */
  close(): void {
    this.#closed = true;
    this.#again?.cancel();
    this.source.onDamage = undefined;
  }

  #readScreen(everything: boolean): Promise<Rect | undefined> {
    return new Promise((resolve, reject) => {
      this.#interrupt = () => reject(new Error('The display has ended.'));
      if (this.#displayEnded) this.#interrupt();
      else this.source.read((block) => this.#keep(block), everything).then(resolve, reject);
    });
  }

  #decideAgain(): void {
    if (this.#closed) return;
    this.#again = this.clock.setTimeout(() => {
      this.#stale = true;
      this.onDamage?.();
    }, DISPLAY_DELAY_MS);
  }

  async #watch(milliseconds: number): Promise<void> {
    const end = this.clock.now() + milliseconds;
    while (!this.#closed && this.clock.now() < end) {
      await pause(this.clock, SAMPLE_MS);
      await this.#sample();
    }
  }

  async #sample(): Promise<void> {
    if (this.#closed) return;
    const at = this.clock.now();
    const asked = this.areas().catch(() => 'unknown' as const);
    this.#history.add(at, await withTimeout(asked, ANSWER_MS, () => 'unknown' as const));
  }

  #keep({ x, y, width, height, data }: Block): void {
    const bytes = width * BYTES_PER_PIXEL;
    for (let row = 0; row < height; row++)
      data.copy(this.#screen, this.#offset(x, y + row), row * bytes, (row + 1) * bytes);
  }

  #offset(x: number, y: number): number {
    return (y * this.width + x) * BYTES_PER_PIXEL;
  }

  /** Returns the area that differs from the last picture. */
  #areaOf(changed: Rect | undefined, black: BlackAreas): Rect | undefined {
    if (black.atRest && this.#black?.atRest && sameAreas(black.areas, this.#black.areas)) return changed;
    const marked = [...black.areas, ...(this.#black?.areas ?? [])].flatMap(
      (area) => this.#onScreen(area) ?? [],
    );
    const all = marked.reduce<Rect | undefined>((whole, area) => union(whole, area), changed);
    return all && onGrid(all, this);
  }

  /**
   * Returns the area that is black for a field, with its margin. Undefined if the field is outside of the
   * screen.
   */
  #onScreen(area: Rect): Rect | undefined {
    const x = Math.max(0, even(area.x - MARGIN));
    const y = Math.max(0, even(area.y - MARGIN));
    const width = Math.min(this.width, even(area.x + area.width + MARGIN + 1)) - x;
    const height = Math.min(this.height, even(area.y + area.height + MARGIN + 1)) - y;
    return width > 0 && height > 0 ? { x, y, width, height } : undefined;
  }

  #pass(area: Rect, black: readonly Rect[], sink: BlockSink): void {
    const { x, y, width, height } = area;
    const hidden = black.flatMap((field) => this.#onScreen(field) ?? []);
    const bytes = width * BYTES_PER_PIXEL;
    for (let top = 0; top < height; top += BAND_ROWS) {
      const rows = Math.min(BAND_ROWS, height - top);
      const data = Buffer.allocUnsafe(rows * bytes);
      for (let row = 0; row < rows; row++) {
        const from = this.#offset(x, y + top + row);
        this.#screen.copy(data, row * bytes, from, from + bytes);
      }
      for (const field of hidden)
        blacken(data, { width, height: rows }, { ...field, x: field.x - x, y: field.y - y - top });
      sink({ x, y: y + top, width, height: rows, data });
    }
  }
}

function even(value: number): number {
  return Math.floor(value / 2) * 2;
}

function sameAreas(some: readonly Rect[], others: readonly Rect[]): boolean {
  return JSON.stringify(some) === JSON.stringify(others);
}
