import type { Rect } from '../capture/frame-source.js';

/** Height of a block of the encoder, in pixels. A band consists of whole rows of blocks. */
const BLOCK = 16;
/**
 * First estimate of the bytes per pixel of a band, before a band was sent. It is the value for a page of
 * text.
 */
const FIRST_GUESS = 0.15;
/** Weight of the newest band in the estimate of bytes per pixel. */
const ADAPTION = 0.5;

/** Divides the refinement of an area into bands, from top to bottom. Each band is sent as one frame. */
export class RefinementBands {
  #bytesPerPixel = FIRST_GUESS;
  /**
   * First row of the area that the current step has not refined yet. Undefined before the first band of a
   * step.
   */
  #from: number | undefined;

  /** True if the current step has refined a part of the area, but not all of it. */
  get hasStarted(): boolean {
    return this.#from !== undefined;
  }

  /** Starts again at the top, because the area changed or the step is complete. */
  restart(): void {
    this.#from = undefined;
  }

  /**
   * Returns the next band. It has about `bytes` bytes at most, and at least one row of blocks. Without a
   * limit, the band is the whole rest of the area.
   */
  next(area: Rect, bytes: number): { area: Rect; isLast: boolean } {
    const end = area.y + area.height;
    const y = Math.min(this.#from ?? area.y, end);
    const rows = bytes / (this.#bytesPerPixel * area.width);
    const bottom = Math.max(y + BLOCK, Math.floor((y + rows) / BLOCK) * BLOCK);
    if (bottom >= end) return { area: y === area.y ? area : { ...area, y, height: end - y }, isLast: true };
    return { area: { ...area, y, height: bottom - y }, isLast: false };
  }

  /** Records a sent band. */
  sent({ y, width, height }: Rect, bytes: number): void {
    this.#from = y + height;
    this.#bytesPerPixel += (bytes / (width * height) - this.#bytesPerPixel) * ADAPTION;
    // After a band without content, the next band must not become too high.
    this.#bytesPerPixel = Math.max(this.#bytesPerPixel, FIRST_GUESS / 8);
  }
}
