import type { Point, Rect, Size } from '../../core/index.js';
import { inverse, project, projectionOf, type Projection } from './projection.js';

/**
 * Corners of the rectangle that {@link CanvasProbe} measures, as fractions of its sides and in the order of
 * {@link projectionOf}.
 */
const CORNERS = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
] as const;
/** Rounding error of a browser's measurements. Pixels. */
const ROUNDING_PIXELS = 0.02;
/** Iterations for locating a canvas in perspective. Without perspective the first one is exact. */
const STEPS = 6;

/**
 * Position of a canvas in its container and on the page, including all CSS transforms of the canvas and its
 * ancestors.
 */
export interface CanvasView {
  /**
   * Box of the canvas. In client pixels if the canvas is not rotated, skewed or in perspective. Otherwise in
   * the container's own pixels, before transforms.
   */
  readonly box: Rect;
  /** Converts a client position to the coordinates of `box`. */
  toBox(client: Point): Point;
  /** Converts the coordinates of `box` to a client position. */
  toClient(point: Point): Point;
  /**
   * Converts a client position to the container's own pixels. The origin is the place of a child with `left:
   * 0; top: 0`.
   */
  toContainer(client: Point): Point;
}

/**
 * Measures the position of a canvas on the page. If nothing has moved, a lookup costs five layout
 * measurements.
 */
export class CanvasProbe {
  readonly #frame = document.createElement('div');
  readonly #corners = CORNERS.map(() => this.#frame.appendChild(document.createElement('div')));
  #size: Size = { width: 0, height: 0 };
  #measured: readonly number[] = [];
  #view: CanvasView | undefined;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    container: HTMLElement,
  ) {
    const place = { position: 'absolute', left: '0', top: '0', width: '0', height: '0' };
    // `contain` keeps the corners from causing scrolling or layout.
    Object.assign(this.#frame.style, place, {
      contain: 'strict',
      visibility: 'hidden',
      pointerEvents: 'none',
    });
    // Some browsers do not measure elements without an area. So each corner is marked by the middle of an
    // element of one pixel.
    for (const { style } of this.#corners)
      Object.assign(style, place, { width: '1px', height: '1px', margin: '-0.5px' });
    container.append(this.#frame);
  }

  /** The current view. */
  get view(): CanvasView {
    const rect = this.canvas.getBoundingClientRect();
    const corners = this.#corners.map(middleOf);
    const measured = [rect.left, rect.top, rect.width, rect.height, ...corners.flatMap(({ x, y }) => [x, y])];
    if (!this.#view || measured.some((value, index) => value !== this.#measured[index])) {
      this.#view = this.#look(rect);
      this.#measured = measured;
    }
    return this.#view;
  }

  close(): void {
    this.#frame.remove();
  }

  #look(rect: DOMRect): CanvasView {
    this.#fit(rect);
    const corners = this.#corners.map(middleOf);
    const forth = projectionOf(this.#size, corners);
    const back = inverse(forth);
    const known = back.every(Number.isFinite);
    const toContainer = (client: Point): Point =>
      known ? project(back, client) : { x: client.x - rect.left, y: client.y - rect.top };
    if (!known || isUpright(corners, this.#size)) return { ...plainView(rect), toContainer };
    const box = boxOf(this.#size, middleOf(this.canvas), forth, back);
    return { box, toBox: toContainer, toClient: (point) => project(forth, point), toContainer };
  }

  /**
   * Spreads the corners over the size of the canvas. So positions are interpolated, which is more exact than
   * extrapolation.
   */
  #fit(rect: DOMRect): void {
    const { width, height } = getComputedStyle(this.canvas);
    const size = { width: parseFloat(width) || rect.width, height: parseFloat(height) || rect.height };
    if (size.width === this.#size.width && size.height === this.#size.height) return;
    this.#size = size;
    this.#corners.forEach(({ style }, index) => {
      const [x, y] = CORNERS[index] ?? CORNERS[0];
      Object.assign(style, { left: `${x * size.width}px`, top: `${y * size.height}px` });
    });
  }
}

/** Returns a view without rotation, skew and perspective. */
export function plainView(box: Rect): CanvasView {
  const same = (point: Point): Point => point;
  const toContainer = ({ x, y }: Point): Point => ({ x: x - box.left, y: y - box.top });
  return { box, toBox: same, toClient: same, toContainer };
}

function middleOf(element: Element): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/** Returns true if the corners form a rectangle of this size, moved or evenly scaled. */
function isUpright(corners: readonly Point[], { width, height }: Size): boolean {
  const [a, b, c, d] = corners as readonly [Point, Point, Point, Point];
  const same = (one: number, other: number): boolean => Math.abs(one - other) < ROUNDING_PIXELS;
  const straight = same(a.y, b.y) && same(c.y, d.y) && same(a.x, d.x) && same(b.x, c.x);
  return straight && b.x > a.x && same((b.x - a.x) * (height / width), d.y - a.y);
}

/**
 * Finds the box of a canvas in the container by Newton's method. The box has the given size. On the page, the
 * middle of its bounding box is `middle`.
 */
function boxOf({ width, height }: Size, middle: Point, forth: Projection, back: Projection): Rect {
  const miss = (x: number, y: number): Point => {
    const shown = CORNERS.map(([right, low]) =>
      project(forth, { x: x + (right - 0.5) * width, y: y + (low - 0.5) * height }),
    );
    const mid = (values: number[]): number => (Math.min(...values) + Math.max(...values)) / 2;
    return {
      x: mid(shown.map((point) => point.x)) - middle.x,
      y: mid(shown.map((point) => point.y)) - middle.y,
    };
  };
  let { x, y } = project(back, middle);
  for (let step = 0; step < STEPS; step++) {
    const off = miss(x, y);
    const [right, down] = [miss(x + 1, y), miss(x, y + 1)];
    const [a, b, c, d] = [right.x - off.x, down.x - off.x, right.y - off.y, down.y - off.y];
    const area = a * d - b * c;
    x -= (d * off.x - b * off.y) / area;
    y -= (a * off.y - c * off.x) / area;
  }
  return { left: x - width / 2, top: y - height / 2, width, height };
}
