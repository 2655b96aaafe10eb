import { make } from '../../dom.js';
import { largestOf, pathOf, ticksFor, type Area } from './chart-scale.js';
import { ChartTable } from './chart-table.js';
import type { Curve } from './curves.js';
import { draw } from './svg.js';
import { ageText, summaryText } from './chart-words.js';

/** Height and margins in pixels. */
const HEIGHT = 190;
const MARGIN = { left: 58, right: 12, top: 12, bottom: 26 };
/** Width below which there is no room for long texts. */
const NARROW = 360;
/** Labels of the time axis, in minutes before now. */
const MINUTES = [60, 45, 30, 15, 0];

/** Options of a chart. */
export interface ChartKind {
  title: string;
  /** True for counts. Their grid lines have no fractions. */
  whole: boolean;
  /** Formats a value with its unit. */
  show: (value: number) => string;
  /** Text for a chart without data. */
  empty: string;
}

/**
 * Line chart of the last hour. Shows the latest values, or those under the pointer. A table contains the
 * values for screen readers.
 */
export class LineChart {
  readonly element: HTMLElement;
  readonly #legend = make('ul', 'legend');
  readonly #when = make('p', 'chart-when');
  readonly #picture = draw('svg', { class: 'chart', role: 'img', height: HEIGHT });
  readonly #empty = make('p', 'chart-empty');
  readonly #table: ChartTable;
  #curves: readonly Curve[] = [];
  #ages: readonly number[] = [];
  /** Index of the point under the pointer. */
  #pointed: number | undefined;

  constructor(private readonly kind: ChartKind) {
    this.#table = new ChartTable(kind);
    this.#empty.textContent = kind.empty;
    const head = make('figcaption', 'chart-head', make('h3', '', kind.title), this.#when, this.#legend);
    this.element = make('figure', 'card chart-card', head);
    this.element.append(this.#picture, this.#empty, this.#table.element);
    new ResizeObserver(() => this.#draw()).observe(this.element);
    this.#picture.addEventListener('pointermove', (event) => this.#point(event));
    this.#picture.addEventListener('pointerleave', () => this.#point());
  }

  show(curves: readonly Curve[], ages: readonly number[]): void {
    this.#curves = curves;
    this.#ages = ages;
    this.#draw();
    this.#table.show(curves, ages);
  }

  #draw(): void {
    const { kind } = this;
    const lists = this.#curves.map(({ values }) => values);
    const none = lists.every((values) => values.every((value) => value === null));
    this.#picture.toggleAttribute('hidden', none);
    this.#empty.hidden = !none;
    // Keeps its place, so that nothing below moves when the first values arrive.
    this.#table.element.classList.toggle('unused', none);
    this.#drawLegend(none);
    const width = this.#picture.clientWidth;
    if (none || width === 0) return;
    const ticks = ticksFor(largestOf(lists), kind.whole);
    const area = this.#area(width);
    this.#picture.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`);
    this.#picture.setAttribute('aria-label', summaryText(kind, this.#curves));
    this.#picture.replaceChildren(
      ...ticks.flatMap((tick) => this.#across(tick, ticks.at(-1) ?? 1, area)),
      ...MINUTES.map((minute) => this.#minute(minute, area)),
      ...this.#curves.map(({ values }, index) =>
        draw('path', { class: 'line', 'data-line': index, d: pathOf(values, ticks.at(-1) ?? 1, area) }),
      ),
      ...this.#pointer(area),
    );
  }

  #across(tick: number, top: number, { left, right, ...area }: Area): SVGElement[] {
    const y = area.bottom - (tick / top) * (area.bottom - area.top);
    const text = { class: 'axis', x: left - 8, y: y + 4, 'text-anchor': 'end' };
    return [
      draw('line', { class: tick === 0 ? 'base' : 'grid', x1: left, x2: right, y1: y, y2: y }),
      draw('text', text, this.kind.show(tick)),
    ];
  }

  #minute(minute: number, { left, right }: Area): SVGElement {
    const x = right - (minute / 60) * (right - left);
    const anchor = minute === 60 ? 'start' : minute === 0 ? 'end' : 'middle';
    const hour = right - left < NARROW ? '60 min' : '60 min ago';
    const text = minute === 0 ? 'now' : minute === 60 ? hour : String(minute);
    return draw('text', { class: 'axis', x, y: HEIGHT - 6, 'text-anchor': anchor }, text);
  }

  #pointer({ left, right, top, bottom }: Area): SVGElement[] {
    if (this.#pointed === undefined) return [];
    const x = left + (this.#pointed / Math.max(1, this.#ages.length - 1)) * (right - left);
    return [draw('line', { class: 'pointed', x1: x, x2: x, y1: top, y2: bottom })];
  }

  /** Draws the name, line style and value of each curve. A single curve needs no name beside the title. */
  #drawLegend(none: boolean): void {
    const at = this.#pointed ?? this.#ages.length - 1;
    this.#when.textContent = this.#pointed === undefined ? '' : ageText(this.#ages[at] ?? 0);
    this.#legend.replaceChildren(
      ...(none ? [] : this.#curves).map(({ name, values }, index) => {
        const value = values[at] ?? null;
        const sample = draw('svg', { class: 'legend-line', viewBox: '0 0 22 8', 'aria-hidden': 'true' });
        sample.append(draw('path', { class: 'line', 'data-line': index, d: 'M1 4H21' }));
        const number = make('b', '', value === null ? '–' : this.kind.show(value));
        return make('li', '', sample, make('span', 'legend-name', name), ' ', number);
      }),
    );
  }

  #point(event?: PointerEvent): void {
    const { left, right } = this.#area(this.#picture.clientWidth);
    const last = this.#ages.length - 1;
    const part = event && (event.offsetX - left) / (right - left);
    this.#pointed = part === undefined ? undefined : Math.min(last, Math.max(0, Math.round(part * last)));
    this.#draw();
  }

  #area(width: number): Area {
    const { left, right, top, bottom } = MARGIN;
    return { left, right: width - right, top, bottom: HEIGHT - bottom };
  }
}
