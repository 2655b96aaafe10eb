/** Layers of waves: vertical position as a part of the height, colour, speed and steepness. */
const LAYERS = [
  { level: 0.62, colour: 'rgb(122 164 255 / 26%)', speed: 0.42, length: 1.1, height: 0.09 },
  { level: 0.74, colour: 'rgb(90 130 255 / 34%)', speed: -0.55, length: 1.6, height: 0.07 },
  { level: 0.86, colour: 'rgb(20 34 110 / 38%)', speed: 0.8, length: 2.1, height: 0.05 },
];
/** Pixels between two points of a wave. */
const STEP = 12;
/** Height of the wave under the pointer, as a part of the canvas height. */
const LIFT = 0.16;
/** Reach of the pointer to each side in pixels. */
const REACH = 130;
const MOST_RATIO = 1.5;

/**
 * Waves that move while they are visible, and rise under the pointer. They stand still for users who prefer
 * reduced motion.
 */
export class Waves {
  readonly #context: CanvasRenderingContext2D | null;
  readonly #still = matchMedia('(prefers-reduced-motion: reduce)');
  #pointer = { x: 0, force: 0, wanted: 0 };
  #visible = true;
  #frame = 0;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    area: HTMLElement,
  ) {
    this.#context = canvas.getContext('2d');
    new ResizeObserver(() => this.#resize()).observe(canvas);
    new IntersectionObserver(([entry]) => {
      this.#visible = entry?.isIntersecting ?? true;
      this.#next();
    }).observe(canvas);
    this.#still.addEventListener('change', () => this.#next());
    area.addEventListener('pointermove', ({ clientX }) => {
      Object.assign(this.#pointer, { x: clientX, wanted: 1 });
    });
    for (const name of ['pointerleave', 'pointercancel'] as const)
      area.addEventListener(name, () => (this.#pointer.wanted = 0));
  }

  #resize(): void {
    const ratio = Math.min(devicePixelRatio, MOST_RATIO);
    this.canvas.width = Math.round(this.canvas.clientWidth * ratio);
    this.canvas.height = Math.round(this.canvas.clientHeight * ratio);
    this.#context?.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#draw(performance.now());
  }

  #next(): void {
    cancelAnimationFrame(this.#frame);
    if (!this.#visible || this.#still.matches) return;
    this.#frame = requestAnimationFrame((now) => {
      this.#draw(now);
      this.#next();
    });
  }

  #draw(now: number): void {
    const context = this.#context;
    if (!context) return;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const pointer = this.#pointer;
    pointer.force += (pointer.wanted - pointer.force) * 0.08;
    context.clearRect(0, 0, width, height);
    for (const { level, colour, speed, length, height: high } of LAYERS) {
      context.fillStyle = colour;
      context.beginPath();
      context.moveTo(0, height);
      for (let x = 0; x <= width + STEP; x += STEP) {
        const turn = (x / 900) * length * 2 * Math.PI + (now / 1_000) * speed;
        const near = Math.exp(-(((x - pointer.x) / REACH) ** 2)) * pointer.force * LIFT;
        context.lineTo(x, height * (level + high * Math.sin(turn) - near));
      }
      context.lineTo(width, height);
      context.fill();
    }
  }
}
