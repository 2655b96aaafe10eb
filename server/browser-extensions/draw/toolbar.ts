import type { Hand, Holding } from './hand.js';
import { iconOf, type Icon } from './icons.js';
import { makeMovable } from './movable.js';
import type { Drawing } from './strokes.js';

const TOOLS: [Holding['tool'], Icon, string][] = [
  [null, 'pointer', 'Use the page'],
  ['pen', 'pen', 'Pen'],
  ['highlighter', 'highlighter', 'Highlighter'],
  ['eraser', 'eraser', 'Eraser'],
];
const COLOURS: [string, string][] = [
  ['#e5383b', 'Red'],
  ['#f59e0b', 'Amber'],
  ['#22a35a', 'Green'],
  ['#2563eb', 'Blue'],
  ['#9333ea', 'Purple'],
  ['#111827', 'Black'],
];
const SIZES: [number, string][] = [
  [2, 'Thin'],
  [4, 'Medium'],
  [9, 'Thick'],
];

/** The toolbar at the edge of the page. It works with mouse, finger, or Tab and arrow keys. */
export class Toolbar {
  readonly element = document.createElement('div');
  /** Buttons of the choices, each with a function that returns true if it is selected. */
  readonly #choices: [button: HTMLButtonElement, chosen: () => boolean][] = [];
  readonly #undo: HTMLButtonElement;
  readonly #clear: HTMLButtonElement;
  /** Called when another tool, colour or size is selected. */
  onChoice: (() => void) | undefined;

  constructor(
    private readonly hand: Hand,
    private readonly drawing: Drawing,
  ) {
    const { element } = this;
    element.className = 'toolbar';
    element.setAttribute('role', 'toolbar');
    element.setAttribute('aria-label', 'Draw on this page');
    const grip = this.#button('Move the tools', () => undefined, 'grip', 'grip');
    makeMovable(element, grip);
    for (const [tool, icon, label] of TOOLS) this.#choice(label, 'tool', tool, icon);
    this.#line();
    for (const [colour, label] of COLOURS)
      this.#choice(label, 'colour', colour, undefined, 'swatch').style.setProperty('--colour', colour);
    this.#line();
    for (const [size, label] of SIZES)
      this.#choice(label, 'size', size, undefined, 'dot').style.setProperty('--size', `${size + 3}px`);
    this.#line();
    this.#undo = this.#button('Undo', () => drawing.undo(), '', 'undo');
    this.#clear = this.#button('Clear', () => drawing.clear(), '', 'clear');
    element.addEventListener('keydown', (event) => this.#onKey(event));
    this.update();
  }

  /** Shows the selection and the possible actions. */
  update(): void {
    for (const [button, chosen] of this.#choices) button.setAttribute('aria-checked', String(chosen()));
    this.#undo.disabled = !this.drawing.canUndo;
    this.#clear.disabled = this.drawing.strokes.length === 0;
  }

  #choice<K extends keyof Holding>(
    label: string,
    key: K,
    value: Holding[K],
    icon?: Icon,
    look = '',
  ): HTMLElement {
    const { holding } = this.hand;
    const button = this.#button(label, () => this.#choose(key, value), look, icon);
    button.setAttribute('role', 'radio');
    this.#choices.push([button, () => holding[key] === value]);
    return button;
  }

  /** Selects a value. Selecting a colour also selects the pen, because the user wants to draw with it. */
  #choose<K extends keyof Holding>(key: K, value: Holding[K]): void {
    const { holding } = this.hand;
    holding[key] = value;
    if (key === 'colour' && (holding.tool === null || holding.tool === 'eraser')) holding.tool = 'pen';
    this.onChoice?.();
  }

  #button(label: string, act: () => void, look: string, icon?: Icon): HTMLButtonElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = look;
    button.title = label;
    button.setAttribute('aria-label', label);
    if (icon) button.append(iconOf(icon));
    button.addEventListener('click', act);
    this.element.append(button);
    return button;
  }

  #line(): void {
    const line = document.createElement('span');
    line.className = 'line';
    this.element.append(line);
  }

  #onKey(event: KeyboardEvent): void {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined || event.defaultPrevented) return;
    const buttons = [...this.element.querySelectorAll('button')].filter(({ disabled }) => !disabled);
    const index = buttons.findIndex((button) => button === event.target);
    buttons.at((index + step) % buttons.length)?.focus();
    event.preventDefault();
  }
}
