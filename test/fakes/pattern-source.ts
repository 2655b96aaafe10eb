import {
  type BlockSink,
  type FrameSource,
  onGrid,
  union,
  type Rect,
} from '../../server/src/host/capture/frame-source.js';

/** A frame source without a display: noise from a seed, damaged by hand. */
export class PatternSource implements FrameSource {
  onDamage: (() => void) | undefined;
  readonly #pixels: Buffer;
  #dirty: Rect | undefined;
  /** Number of reads of the picture. */
  reads = 0;
  closed = false;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.#pixels = Buffer.alloc(width * height * 4);
    this.paint(1);
  }

  /** Fills the picture with other noise, without reporting damage. */
  paint(seed: number): void {
    for (let index = 0; index < this.#pixels.length; index++)
      this.#pixels[index] = ((index + seed) * 7919) >>> 3;
  }

  /** Reports that an area changed. */
  damage(area: Rect = { x: 0, y: 0, width: this.width, height: this.height }): void {
    const first = this.#dirty === undefined;
    this.#dirty = union(this.#dirty, area);
    if (first) this.onDamage?.();
  }

  get damaged(): boolean {
    return this.#dirty !== undefined;
  }

  read(sink: BlockSink, everything: boolean): Promise<Rect | undefined> {
    const changed = everything ? { x: 0, y: 0, width: this.width, height: this.height } : this.#dirty;
    this.#dirty = undefined;
    if (!changed) return Promise.resolve(undefined);
    this.reads++;
    const area = onGrid(changed, this);
    const rows = Array.from({ length: area.height }, (_, row) => {
      const start = ((area.y + row) * this.width + area.x) * 4;
      return this.#pixels.subarray(start, start + area.width * 4);
    });
    sink({ ...area, data: Buffer.concat(rows) });
    return Promise.resolve(area);
  }

  close(): void {
    this.closed = true;
  }
}
