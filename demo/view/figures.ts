import type { CloudBrowserElement } from '../../src/element/define.js';
import { find, make } from '../dom.js';
import { Sparkline } from './sparkline.js';

const INTERVAL_MS = 500;
/** Number of values in the history: half a minute. */
const HISTORY_VALUES = 60;

/** Source of the statistics: `<cloud-browser>`. */
type FigureSource = Pick<CloudBrowserElement, 'stats'>;
type Stats = NonNullable<FigureSource['stats']>;

interface Figure {
  label: string;
  hint: string;
  /** Undefined if there is no measurement yet. */
  read: (stats: Stats) => number | undefined;
  show: (value: number) => { text: string; unit: string };
}

const milliseconds = (value: number) => ({ text: value.toFixed(value < 10 ? 1 : 0), unit: 'ms' });

const FIGURES: Figure[] = [
  {
    label: 'Frames',
    hint: 'Frames painted in the last second. A still screen needs none.',
    read: (stats) => stats.framesPerSecond,
    show: (value) => ({ text: String(Math.round(value)), unit: '/s' }),
  },
  {
    label: 'Bit rate',
    hint: 'Data received in the last second.',
    read: (stats) => stats.bitsPerSecond,
    show: (value) =>
      value < 1e6
        ? { text: (value / 1e3).toFixed(0), unit: 'kbit/s' }
        : { text: (value / 1e6).toFixed(1), unit: 'Mbit/s' },
  },
  {
    label: 'Round trip',
    hint: 'From this page to the session and back.',
    read: (stats) => stats.rtt,
    show: milliseconds,
  },
  {
    label: 'Input to photon',
    hint: 'From your click or key to the first frame that shows its effect.',
    read: (stats) => stats.inputToPhoton,
    show: milliseconds,
  },
];

/** Four tiles with a session's statistics, each with a curve of the last half minute. */
export class Figures {
  readonly #tiles = FIGURES.map((figure) => new Tile(figure));
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    find('.figures').append(...this.#tiles.map(({ element }) => element));
  }

  follow(source: FigureSource): void {
    this.stop();
    const update = () => this.#tiles.forEach((tile) => tile.update(source.stats));
    this.#timer = setInterval(update, INTERVAL_MS);
    update();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const tile of this.#tiles) tile.clear();
  }
}

class Tile {
  readonly element: HTMLElement;
  readonly #figure: Figure;
  readonly #number = make('span', 'figure-number');
  readonly #unit = make('span', 'figure-unit');
  readonly #curve = new Sparkline(HISTORY_VALUES);

  constructor(figure: Figure) {
    this.#figure = figure;
    const value = make('dd', 'figure-value', this.#number, this.#unit);
    this.element = make(
      'div',
      'figure',
      make('dt', 'figure-label', figure.label),
      value,
      this.#curve.element,
    );
    this.element.title = figure.hint;
    this.clear();
  }

  update(stats: Stats | undefined): void {
    const value = stats && this.#figure.read(stats);
    if (value === undefined || !Number.isFinite(value)) return;
    const { text, unit } = this.#figure.show(value);
    this.#number.textContent = text;
    this.#unit.textContent = unit;
    this.#curve.add(value);
  }

  clear(): void {
    this.#number.textContent = '–';
    this.#unit.textContent = '';
    this.#curve.clear();
  }
}
