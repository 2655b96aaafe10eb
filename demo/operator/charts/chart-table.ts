import { make } from '../../dom.js';
import { ageText } from './chart-words.js';
import type { Curve } from './curves.js';

/** Seconds between two rows. */
const STEP = 300;

/**
 * Table of a chart's values, one row per five minutes, behind a button. Its rows exist only while it is open.
 */
export class ChartTable {
  readonly element = document.createElement('details');
  readonly #place = make('div', 'chart-table');
  #curves: readonly Curve[] = [];
  #ages: readonly number[] = [];

  constructor(private readonly kind: { title: string; show: (value: number) => string }) {
    const summary = make('summary', '', 'As a table');
    summary.append(make('span', 'visually-hidden', `: ${kind.title}`));
    this.element.append(summary, this.#place);
    this.element.addEventListener('toggle', () => this.#fill());
  }

  show(curves: readonly Curve[], ages: readonly number[]): void {
    this.#curves = curves;
    this.#ages = ages;
    this.#fill();
  }

  #fill(): void {
    if (!this.element.open) return;
    const rows = this.#ages.flatMap((age, index) => (age % STEP === 0 ? [{ age, index }] : [])).reverse();
    const caption = make('caption', 'visually-hidden', `${this.kind.title} in the last hour`);
    const head = make('tr', '', ...['When', ...this.#curves.map(({ name }) => name)].map(columnHeader));
    const lines = rows.map(({ age, index }) => {
      const when = make('th', '', ageText(age));
      when.setAttribute('scope', 'row');
      return make('tr', '', when, ...this.#curves.map(({ values }) => this.#cell(values[index] ?? null)));
    });
    const table = make('table', '', caption, make('thead', '', head), make('tbody', '', ...lines));
    this.#place.replaceChildren(table);
  }

  #cell(value: number | null): HTMLElement {
    return make('td', '', value === null ? '–' : this.kind.show(value));
  }
}

function columnHeader(text: string): HTMLElement {
  const header = make('th', '', text);
  header.setAttribute('scope', 'col');
  return header;
}
