import { find, make, setText } from '../../dom.js';
import { isGone, isSilent, type NodeAnswer } from './nodes-answer.js';
import { bytesText, percentText, secondsText, stateOf } from '../words.js';

/** Columns after the node's name, by heading. A phone repeats the headings in every row. */
const COLUMNS = [
  'State',
  'Regions',
  'Sessions',
  'Processor',
  'Free memory',
  'Last sign of life',
  'Version',
] as const;
type Column = (typeof COLUMNS)[number];

/** A bar at or above this part shows a warning. */
const NEARLY_FULL = 0.9;
const UNKNOWN = '–';

/** Table of nodes. The row of a node keeps its place, so nothing moves while the visitor reads. */
export class NodeTable {
  readonly #body = find('.node-table tbody');
  readonly #rows = new Map<string, Row>();

  show(nodes: readonly NodeAnswer[]): void {
    const sorted = [...nodes].sort(
      (a, b) => Number(isGone(a)) - Number(isGone(b)) || a.name.localeCompare(b.name),
    );
    const names = new Set(nodes.map(({ name }) => name));
    for (const [name, row] of this.#rows) {
      if (names.has(name)) continue;
      row.element.remove();
      this.#rows.delete(name);
    }
    sorted.forEach((node, index) => {
      const row = this.#rows.get(node.name) ?? new Row(node.name);
      this.#rows.set(node.name, row);
      row.show(node);
      const there = this.#body.children[index];
      if (there !== row.element) this.#body.insertBefore(row.element, there ?? null);
    });
  }
}

/** Row of one node. A phone shows it as a card, so it contains its own labels. */
class Row {
  readonly element = make('tr', 'node');
  readonly #cells: Record<Column, HTMLElement>;
  readonly #state = make('span', 'state');
  readonly #meaning = make('small', 'meaning');
  readonly #sessions = new Share();
  readonly #load = new Share();

  constructor(name: string) {
    this.element.setAttribute('role', 'row');
    const header = make('th', 'node-name', name);
    header.setAttribute('role', 'rowheader');
    header.setAttribute('scope', 'row');
    const cells = COLUMNS.map((column) => {
      const cell = make('td', '');
      cell.setAttribute('role', 'cell');
      cell.dataset['label'] = column;
      return [column, cell] as const;
    });
    this.#cells = Object.fromEntries(cells) as Record<Column, HTMLElement>;
    this.#cells.State.append(this.#state, ' ', this.#meaning);
    this.#cells.Sessions.append(...this.#sessions.elements);
    this.#cells.Processor.append(...this.#load.elements);
    this.element.append(header, ...cells.map(([, cell]) => cell));
  }

  show(node: NodeAnswer): void {
    const { report, regions, lease_age: age } = node;
    const { mood, word, meaning } = stateOf(node);
    this.element.dataset['mood'] = mood;
    setText(this.#state, word);
    setText(this.#meaning, meaning);
    this.#showSessions(node);
    const load = report?.history.load.at(-1);
    if (report && load !== undefined)
      this.#load.show(load, percentText(load), `of ${report.cores} ${report.cores === 1 ? 'core' : 'cores'}`);
    else this.#load.showNothing();
    const free = report?.history.free_bytes.at(-1);
    setText(this.#cells.Regions, regions.join(', ') || UNKNOWN);
    setText(
      this.#cells['Free memory'],
      report && free !== undefined ? `${bytesText(free)} of ${bytesText(report.memory_bytes)}` : UNKNOWN,
    );
    // A single machine has no lease. It is alive if it answers.
    setText(this.#cells['Last sign of life'], age === null ? UNKNOWN : `${secondsText(age)} ago`);
    setText(this.#cells.Version, report?.version ?? (isSilent(node) ? 'not told' : UNKNOWN));
  }

  #showSessions(node: NodeAnswer): void {
    const { sessions, session_room: room, cost, cost_room: costRoom } = node;
    if (isGone(node)) {
      this.#sessions.showNothing();
      return;
    }
    const byNumber = room > 0 ? sessions / room : 1;
    const byCost = costRoom ? cost / costRoom : 0;
    // Large and fast pictures can use up a machine with few sessions.
    const note = byCost > byNumber ? `${percentText(byCost)} of its pixels` : '';
    this.#sessions.show(Math.max(byNumber, byCost), `${sessions} of ${room}`, note);
  }
}

/** Shows a fraction as text and a bar. */
class Share {
  readonly #text = make('span', 'share-text');
  readonly #note = make('small', 'share-note');
  readonly #bar = make('span', 'bar', make('i', ''));
  readonly elements = [make('span', 'share-words', this.#text, ' ', this.#note), this.#bar];

  constructor() {
    this.#bar.setAttribute('aria-hidden', 'true');
  }

  /** @param part fraction from 0 to 1 */
  show(part: number, text: string, note = ''): void {
    this.#bar.hidden = false;
    this.#bar.style.setProperty('--part', String(Math.min(1, Math.max(0, part))));
    this.#bar.classList.toggle('nearly-full', part >= NEARLY_FULL);
    setText(this.#text, text);
    setText(this.#note, note);
  }

  showNothing(): void {
    this.#bar.hidden = true;
    setText(this.#text, UNKNOWN);
    setText(this.#note, '');
  }
}
