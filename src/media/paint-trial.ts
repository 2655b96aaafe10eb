/** `draw`: the browser draws the frame. `copy`: its pixels are copied out and put on the canvas. */
export type PaintWay = 'draw' | 'copy';

/** The first paintings of a kind set things up and tell little. */
const WARM_UP = 2;
const SAMPLES = 5;
/** Milliseconds of a drawing that nobody needs to beat: a GPU does it while the page goes on. */
const FAST = 1.5;

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
    if (times.length < WARM_UP + SAMPLES) return;
    if (way === 'copy') this.#decide(this.#median('copy') < this.#median('draw') ? 'copy' : 'draw');
    else if (this.#refused || this.#median('draw') <= FAST) this.#decide('draw');
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
    const sorted = this.#times[way].slice(WARM_UP).sort((a, b) => a - b);
    return sorted[sorted.length >> 1] ?? Infinity;
  }
}
