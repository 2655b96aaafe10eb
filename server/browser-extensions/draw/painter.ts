import type { Drawing, Stroke } from './strokes.js';

const HIGHLIGHTER_ALPHA = 0.38;

/**
 * Paints a drawing over the visible part of the page. Finished strokes are kept as a picture, so only the
 * current stroke is drawn again.
 */
export class Painter {
  readonly canvas = document.createElement('canvas');
  readonly #context = this.canvas.getContext('2d');
  readonly #finished = document.createElement('canvas');
  #current: Stroke | undefined;
  #stale = true;
  #scheduled = false;

  constructor(private readonly drawing: Drawing) {
    this.canvas.className = 'canvas';
    addEventListener('scroll', () => this.refresh(), { passive: true, capture: true });
    addEventListener('resize', () => this.refresh());
    this.refresh();
  }

  /** The current stroke, which is painted last. */
  set current(stroke: Stroke | undefined) {
    this.#current = stroke;
    this.#schedule();
  }

  /** Paints everything again, because the drawing changed or the page scrolled. */
  refresh(): void {
    this.#stale = true;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      this.#paint();
    });
  }

  #paint(): void {
    if (this.#stale) this.#paintFinished();
    const context = this.#context;
    if (!context) return;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.#finished, 0, 0);
    if (this.#current) paintStroke(context, this.#current);
  }

  #paintFinished(): void {
    this.#stale = false;
    const width = Math.round(innerWidth * devicePixelRatio);
    const height = Math.round(innerHeight * devicePixelRatio);
    for (const canvas of [this.canvas, this.#finished]) {
      if (canvas.width !== width) canvas.width = width;
      if (canvas.height !== height) canvas.height = height;
    }
    const context = this.#finished.getContext('2d');
    if (!context) return;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    for (const stroke of this.drawing.strokes) paintStroke(context, stroke);
  }
}

function paintStroke(context: CanvasRenderingContext2D, { tool, colour, width, points }: Stroke): void {
  context.save();
  context.setTransform(
    devicePixelRatio,
    0,
    0,
    devicePixelRatio,
    -scrollX * devicePixelRatio,
    -scrollY * devicePixelRatio,
  );
  context.lineCap = context.lineJoin = 'round';
  context.lineWidth = width;
  context.strokeStyle = colour;
  if (tool === 'highlighter') context.globalAlpha = HIGHLIGHTER_ALPHA;
  if (tool === 'eraser') context.globalCompositeOperation = 'destination-out';
  context.stroke(smoothPath(points));
  context.restore();
}

/**
 * Returns a path without corners. It has curves from the middle of each segment to the middle of the next,
 * with the point between them as control point.
 */
function smoothPath(points: Stroke['points']): Path2D {
  const path = new Path2D();
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return path;
  path.moveTo(first.x, first.y);
  for (const [index, point] of points.entries()) {
    const next = points[index + 1];
    if (index > 0 && next)
      path.quadraticCurveTo(point.x, point.y, (point.x + next.x) / 2, (point.y + next.y) / 2);
  }
  // A press without a movement gives a dot.
  path.lineTo(last.x, last.y);
  return path;
}
