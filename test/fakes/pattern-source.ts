import type { FrameSource, RowSink } from '../../server/src/host/capture/frame-source.js';
import { union, type Rect } from '../../server/src/host/capture/rect.js';

/** A frame source without a display: noise from a seed, damaged by hand. */
export class PatternSource implements FrameSource {
  onDamage: (() => void) | undefined;
  readonly #pixels: Buffer;
  #dirty: Rect | undefined;
  /** How often the picture was read. */
  reads = 0;
  closed = false;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.#pixels = Buffer.alloc(width * height * 4);
    this.paint(1);
  }

  /** Fills the picture with other noise; tells nobody. */
  paint(seed: number): void {
    for (let index = 0; index < this.#pixels.length; index++)
      this.#pixels[index] = ((index + seed) * 7919) >>> 3;
  }

  /** Says that an area changed. */
  damage(area: Rect = { x: 0, y: 0, width: this.width, height: this.height }): void {
    const first = this.#dirty === undefined;
    this.#dirty = union(this.#dirty, area);
    if (first) this.onDamage?.();
  }

  read(sink: RowSink, everything: boolean): Promise<Rect | undefined> {
    const area = everything ? { x: 0, y: 0, width: this.width, height: this.height } : this.#dirty;
    this.#dirty = undefined;
    if (!area) return Promise.resolve(undefined);
    this.reads++;
    const y = area.y & ~1;
    const end = Math.min(this.height, (area.y + area.height + 1) & ~1);
    sink({ y, count: end - y, data: this.#pixels.subarray(y * this.width * 4, end * this.width * 4) });
    return Promise.resolve({ x: 0, y, width: this.width, height: end - y });
  }

  close(): void {
    this.closed = true;
  }
}
