import type { Painter } from './painter.js';
import type { Drawing, Stroke, Tool } from './strokes.js';

/** Width of each tool per unit of the selected size. */
const WIDTHS: Record<Tool, number> = { pen: 1, highlighter: 5, eraser: 6 };
/** Minimum distance between two points, in CSS pixels. Closer points only add noise. */
const MIN_STEP = 1;

/** The selected tool, colour and size. With tool null, the page is used as usual. */
export interface Holding {
  tool: Tool | null;
  colour: string;
  /** Width of the pen in CSS pixels. */
  size: number;
}

/** Turns the movements of a pressed pointer on the canvas into strokes. */
export class Hand {
  readonly holding: Holding = { tool: null, colour: '#e5383b', size: 4 };
  #stroke: Stroke | undefined;
  #pointer: number | undefined;

  constructor(
    private readonly drawing: Drawing,
    private readonly painter: Painter,
  ) {
    const { canvas } = painter;
    canvas.addEventListener('pointerdown', (event) => this.#begin(event));
    canvas.addEventListener('pointermove', (event) => this.#move(event));
    for (const type of ['pointerup', 'pointercancel'] as const)
      canvas.addEventListener(type, (event) => this.#end(event));
  }

  #begin(event: PointerEvent): void {
    const { tool, colour, size } = this.holding;
    if (tool === null || event.button !== 0 || this.#stroke) return;
    event.preventDefault();
    this.painter.canvas.setPointerCapture(event.pointerId);
    this.#pointer = event.pointerId;
    this.#stroke = { tool, colour, width: size * WIDTHS[tool], points: [] };
    this.#extend([event]);
  }

  #move(event: PointerEvent): void {
    if (event.pointerId !== this.#pointer) return;
    const all = event.getCoalescedEvents();
    this.#extend(all.length > 0 ? all : [event]);
  }

  #end(event: PointerEvent): void {
    if (event.pointerId !== this.#pointer || !this.#stroke) return;
    this.drawing.add(this.#stroke);
    this.#stroke = undefined;
    this.#pointer = undefined;
    this.painter.current = undefined;
  }

  #extend(events: readonly PointerEvent[]): void {
    const points = this.#stroke?.points;
    if (!points) return;
    for (const { clientX, clientY } of events) {
      const point = { x: clientX + scrollX, y: clientY + scrollY };
      const last = points.at(-1);
      if (!last || Math.hypot(point.x - last.x, point.y - last.y) >= MIN_STEP) points.push(point);
    }
    this.painter.current = this.#stroke;
  }
}
