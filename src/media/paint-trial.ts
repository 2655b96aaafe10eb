/** `draw`: the browser draws the frame. `copy`: the frame's pixels are copied and written to the canvas. */
export type PaintWay = 'draw' | 'copy';

/** Number of paintings that are ignored at the start of each way. They include setup work. */
const WARM_UP_PAINTINGS = 2;
/** Number of paintings per way for the comparison. The median ignores single disturbances. */
const SAMPLE_PAINTINGS = 5;
/**
 * If the median time of drawing is at most this value, drawing counts as fast. Such a time shows that a GPU
 * draws in parallel. Milliseconds.
 */
const FAST_DRAWING_MS = 1.5;

/**
 * Finds the faster way of painting on this machine. Draws first, tries copying if drawing is slow, and then
 * keeps the faster way.
 */
export class PaintTrial {
  #way: PaintWay = 'draw';
  #refused = false;
  #decided = false;
  #times: Record<PaintWay, number[]> = { draw: [], copy: [] };

  /** The way to paint the next picture. */
  get way(): PaintWay {
    return this.#way;
  }

  /** Records the time of a painting in milliseconds. */
  took(way: PaintWay, milliseconds: number): void {
    if (this.#decided || way !== this.#way) return;
    const times = this.#times[way];
    times.push(milliseconds);
    if (times.length < WARM_UP_PAINTINGS + SAMPLE_PAINTINGS) return;
    if (way === 'copy') this.#decide(this.#median('copy') < this.#median('draw') ? 'copy' : 'draw');
    else if (this.#refused || this.#median('draw') <= FAST_DRAWING_MS) this.#decide('draw');
    else this.#way = 'copy';
  }

  /** Records that copying is not possible. */
  refuse(): void {
    this.#refused = true;
    this.#decide('draw');
  }

  /**
   * Restarts the comparison after the picture changed its size. After {@link refuse}, pictures are only
   * drawn.
   */
  restart(): void {
    this.#way = 'draw';
    this.#decided = this.#refused;
    this.#times = { draw: [], copy: [] };
  }

  #decide(way: PaintWay): void {
    this.#way = way;
    this.#decided = true;
  }

  #median(way: PaintWay): number {
    const sorted = this.#times[way].slice(WARM_UP_PAINTINGS).sort((a, b) => a - b);
    return sorted[sorted.length >> 1] ?? Infinity;
  }
}
