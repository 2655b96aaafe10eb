import type { Rect } from '../capture/frame-source.js';

/** Distance between two samples in both directions, in pixels. 720p has 3,600 samples. */
const STEP = 16;
/** A luma value (0 to 255) that changes by more than this counts as changed. */
const DIFFERENCE = 24;

/** The luma (brightness) of a picture: one byte per pixel. */
export interface LumaPlane {
  data: Buffer;
  /** Bytes from one row to the next. */
  stride: number;
}

/**
 * Measures the share of a picture that updates have replaced, from samples of the luma. Text that scrolls by
 * a few pixels changes a sixth of the samples. Another photograph changes a third. A page that turns dark
 * changes nearly all.
 */
export class ContentChange {
  readonly #total: number;
  #changed = 0;

  constructor({ width, height }: { width: number; height: number }) {
    this.#total = Math.ceil(width / STEP) * Math.ceil(height / STEP);
  }

  /** Share of the samples that have changed since {@link restart}, from 0 to 1. */
  get share(): number {
    return this.#changed / this.#total;
  }

  /** Begins a new comparison. */
  restart(): void {
    this.#changed = 0;
  }

  /** Calls `update`, which changes an area of the picture, and compares the samples before and after it. */
  during(area: Rect, { data, stride }: LumaPlane, update: () => void): void {
    const places = placesIn(area, stride);
    const before = places.map((place) => data[place] ?? 0);
    update();
    for (const [index, place] of places.entries()) {
      if (Math.abs((data[place] ?? 0) - (before[index] ?? 0)) > DIFFERENCE) this.#changed += 1;
    }
  }
}

/** Returns the positions of an area's samples in the plane, as byte offsets. */
function placesIn({ x, y, width, height }: Rect, stride: number): number[] {
  const places: number[] = [];
  for (let row = firstSample(y); row < y + height; row += STEP) {
    for (let column = firstSample(x); column < x + width; column += STEP) places.push(row * stride + column);
  }
  return places;
}

/** Returns the first column or row with samples that is not before `from`. */
function firstSample(from: number): number {
  return Math.ceil(from / STEP) * STEP;
}
