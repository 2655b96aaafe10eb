/** `draw`: the browser draws the frame. `copy`: its pixels are copied out and put on the canvas. */
export type PaintWay = 'draw' | 'copy';

/** The first paintings of a kind set things up and tell little. */
const WARM_UP_PAINTINGS = 2;
/** Paintings of each way that are compared, by their median: one that the machine disturbs decides nothing. */
const SAMPLE_PAINTINGS = 5;
/** A drawing that takes no longer is fast enough: a GPU does it while the page goes on. */
const FAST_DRAWING_MS = 1.5;

/** Finds out which way of painting is faster on this machine: draws, copies when drawing is slow, then stays with one. */
export class PaintTrial {
  #way: PaintWay = 'draw';
  #refused = false;
  #decided = false;
  #times: Record<PaintWay, number[]> = { draw: [], copy: [] };

  /** How to paint now. */
  get way(): PaintWay {
    return this.#way;
  }

  /** Tells how long a painting took, in milliseconds. */
  took(way: PaintWay, milliseconds: number): void {
    if (this.#decided || way !== this.#way) return;
    const times = this.#times[way];
    times.push(milliseconds);
    if (times.length < WARM_UP_PAINTINGS + SAMPLE_PAINTINGS) return;
    if (way === 'copy') this.#decide(this.#median('copy') < this.#median('draw') ? 'copy' : 'draw');
    else if (this.#refused || this.#median('draw') <= FAST_DRAWING_MS) this.#decide('draw');
    else this.#way = 'copy';
  }

  /** Copying is not possible. */
  refuse(): void {
    this.#refused = true;
    this.#decide('draw');
  }

  /** Pictures have another size now. */
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
