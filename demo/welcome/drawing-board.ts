/** Colours of the drawing pointers, used in turn. */
const COLOURS = ['#1f5eff', '#e0408a', '#12a36b', '#f09a1a', '#8a4be0'];
const LINE_WIDTH = 5;
/** Number of loops and points of the initial line. */
const [LOOPS, POINTS] = [5, 200];

/** Canvas to draw on with any number of pointers at once. It keeps its content when its size changes. */
export class DrawingBoard {
  readonly #context: CanvasRenderingContext2D | null;
  /** Position of each drawing pointer, in CSS pixels of the canvas. */
  readonly #pointers = new Map<number, { x: number; y: number; colour: string }>();
  #strokes = 0;
  #ratio = 1;
  #begun = false;

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.#context = canvas.getContext('2d');
    new ResizeObserver(() => this.#resize()).observe(canvas);
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      const colour = COLOURS[this.#strokes++ % COLOURS.length] ?? '';
      this.#pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY, colour });
      this.#line(event);
    });
    canvas.addEventListener('pointermove', (event) => {
      for (const each of event.getCoalescedEvents()) this.#line(each);
    });
    for (const name of ['pointerup', 'pointercancel'] as const)
      canvas.addEventListener(name, ({ pointerId }) => this.#pointers.delete(pointerId));
  }

  /** Draws an initial line with loops as an example. */
  #begin(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const point = (index: number) => {
      const turn = (index / POINTS) * LOOPS * 2 * Math.PI - Math.PI / 2;
      const along = (index / POINTS) * 0.7 + 0.15;
      return {
        offsetX: width * (along - 0.05 * Math.cos(turn)),
        offsetY: height * (0.5 + (0.12 + 0.1 * along) * Math.sin(turn)),
      };
    };
    for (let index = 0; index < POINTS; index++) {
      const { offsetX: x, offsetY: y } = point(index);
      const colour = COLOURS[Math.floor((index / POINTS) * COLOURS.length)] ?? '';
      this.#pointers.set(-1, { x, y, colour });
      this.#line({ pointerId: -1, ...point(index + 1) });
    }
    this.#pointers.delete(-1);
  }

  /** Clears the drawing. */
  clear(): void {
    this.#context?.clearRect(0, 0, this.canvas.clientWidth, this.canvas.clientHeight);
  }

  #line({
    pointerId,
    offsetX: x,
    offsetY: y,
  }: Pick<PointerEvent, 'pointerId' | 'offsetX' | 'offsetY'>): void {
    const from = this.#pointers.get(pointerId);
    const context = this.#context;
    if (!from || !context) return;
    Object.assign(context, { strokeStyle: from.colour, lineWidth: LINE_WIDTH, lineCap: 'round' });
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(x, y);
    context.stroke();
    Object.assign(from, { x, y });
  }

  #resize(): void {
    const { canvas } = this;
    const kept =
      canvas.width > 0 ? Object.assign(document.createElement('canvas'), canvasSize(canvas)) : null;
    kept?.getContext('2d')?.drawImage(canvas, 0, 0);
    const before = this.#ratio;
    this.#ratio = devicePixelRatio;
    canvas.width = Math.round(canvas.clientWidth * this.#ratio);
    canvas.height = Math.round(canvas.clientHeight * this.#ratio);
    this.#context?.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    if (!this.#begun) this.#begin();
    else if (kept) this.#context?.drawImage(kept, 0, 0, kept.width / before, kept.height / before);
    this.#begun = true;
  }
}

const canvasSize = ({ width, height }: HTMLCanvasElement) => ({ width, height });
