import { find, make } from '../dom.js';
import type { Totals } from './totals.js';
import { durationText } from './words.js';

interface Tile {
  label: string;
  /** Returns the number, its unit and a note. */
  read: (totals: Totals) => { number: string; unit?: string; note: string };
}

const TILES: readonly Tile[] = [
  {
    label: 'Sessions',
    read: ({ sessions, room }) => ({ number: count(sessions), note: `room for ${count(room)} more` }),
  },
  {
    label: 'Viewers',
    read: ({ viewers }) => ({ number: count(viewers), note: 'connected now' }),
  },
  {
    label: 'Agents',
    read: ({ agents }) => ({ number: count(agents), note: 'programs at work' }),
  },
  {
    label: 'Starts',
    read: ({ starts }) => ({ number: count(starts), unit: '/min', note: 'in the last minute' }),
  },
  {
    label: 'Start time',
    read: ({ p50, p95 }) => {
      if (p50 === undefined || p95 === undefined) return { number: '–', note: 'no start in 5 minutes' };
      const [number = '', unit = ''] = durationText(p50).split(' ');
      return { number, unit, note: `half within; 95 % within ${durationText(p95)}` };
    },
  },
  {
    label: 'Rejections',
    read: ({ rejections }) => ({ number: count(rejections), unit: '/min', note: 'requests refused' }),
  },
];

const count = (value: number) => value.toLocaleString('en');

/** One tile for each total of all nodes. */
export class TotalsView {
  readonly #tiles = TILES.map(({ label, read }) => {
    const parts = {
      number: make('span', 'total-number'),
      unit: make('span', 'total-unit'),
      note: make('dd', 'total-note'),
    };
    const value = make('dd', 'total-value', parts.number, ' ', parts.unit);
    return {
      read,
      parts,
      element: make('div', 'total', make('dt', 'total-label', label), value, parts.note),
    };
  });

  constructor() {
    find('.totals').append(...this.#tiles.map(({ element }) => element));
  }

  show(totals: Totals): void {
    for (const { read, parts } of this.#tiles) {
      const { number, unit = '', note } = read(totals);
      parts.number.textContent = number;
      parts.unit.textContent = unit;
      parts.note.textContent = note;
    }
  }
}
