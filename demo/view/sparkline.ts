const NAMESPACE = 'http://www.w3.org/2000/svg';
const WIDTH = 100;
const HEIGHT = 28;

/** Small curve of the last values, scaled to the largest of them. */
export class Sparkline {
  readonly element = document.createElementNS(NAMESPACE, 'svg');
  readonly #line = document.createElementNS(NAMESPACE, 'path');
  readonly #area = document.createElementNS(NAMESPACE, 'path');
  readonly #values: number[] = [];
  readonly #length: number;

  constructor(length: number) {
    this.#length = length;
    this.element.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
    this.element.setAttribute('preserveAspectRatio', 'none');
    this.element.setAttribute('aria-hidden', 'true');
    this.element.classList.add('sparkline');
    this.#area.classList.add('sparkline-area');
    this.#line.classList.add('sparkline-line');
    this.element.append(this.#area, this.#line);
  }

  add(value: number): void {
    this.#values.push(value);
    if (this.#values.length > this.#length) this.#values.shift();
    this.#draw();
  }

  clear(): void {
    this.#values.length = 0;
    this.#draw();
  }

  #draw(): void {
    const top = Math.max(...this.#values, Number.EPSILON);
    const step = WIDTH / (this.#length - 1);
    const start = WIDTH - (this.#values.length - 1) * step;
    const points = this.#values.map((value, index) => {
      const y = HEIGHT - 2 - (value / top) * (HEIGHT - 4);
      return `${(start + index * step).toFixed(1)} ${y.toFixed(1)}`;
    });
    const line = points.length > 1 ? `M${points.join('L')}` : '';
    this.#line.setAttribute('d', line);
    this.#area.setAttribute('d', line && `${line}L${WIDTH} ${HEIGHT}L${start.toFixed(1)} ${HEIGHT}Z`);
  }
}
