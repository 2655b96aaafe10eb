import { hidesFocus, isEditable } from './fields.js';
import type { Gate } from './gate.js';
import type { Keeper } from './keeper.js';
import type { Masks } from './masks.js';
import { fades, isCustom, mayHide, parentOf } from './tree.js';

/** What people do to an element. The first group would change it, the second tells the page of it. */
const ACTS = [
  ...['keydown', 'keypress', 'keyup', 'beforeinput', 'textInput', 'paste', 'cut', 'drop', 'dragstart'],
  ...['mousedown', 'mouseup', 'click', 'dblclick', 'auxclick'],
  ...['pointerdown', 'pointerup', 'touchstart', 'touchend', 'compositionstart', 'compositionupdate'],
];
/** To be stopped, not prevented: a finger on a masked field still scrolls. */
const GESTURES = ['pointerdown', 'pointerup', 'touchstart', 'touchend'];
/** They tell of a change that has been made. */
const CHANGES = ['input', 'change'];
const KEYS = ['keydown', 'keypress', 'keyup'];
const PRESSES = ['mousedown', 'click', 'pointerdown'];
/** With these somebody begins to press, and with those goes on. */
const BEGINNINGS = ['mousedown', 'pointerdown', 'touchstart'];
const ENDS = ['mouseup', 'pointerup', 'touchend', 'click', 'dblclick', 'auxclick'];

/** What is told of a refusal. */
export interface RefusalListener {
  onRefused(): void;
  /** This element may hide what was meant; nothing inside it takes input until that is known. */
  onHidden(element: Element): void;
  /** The pointer is on this element, which may hide something: to be known before somebody presses. */
  onHover(element: Element): void;
}

/**
 * Keeps input from masked fields while the gate is closed. Listens before the page's own scripts, which are not told of what is
 * refused.
 */
export class Refusals {
  readonly #document = document;
  /** What is being pressed could not be known. */
  #blind = false;

  constructor(
    private readonly masks: Masks,
    private readonly gate: Gate,
    private readonly keeper: Keeper,
    private readonly listener: RefusalListener,
  ) {}

  /** Listens to a window, or to a tree that is closed to others. */
  guard(target: EventTarget): void {
    // Sliders follow a finger from its first touch on, unless that is prevented.
    for (const type of ACTS) target.addEventListener(type, this.#onAct, { capture: true, passive: false });
    for (const type of CHANGES) target.addEventListener(type, this.#onChange, true);
    target.addEventListener('focusin', this.#note, true);
    // Of what is in the page itself the host asks before somebody presses.
    if (parent !== window) target.addEventListener('mousemove', this.#onHover, true);
  }

  readonly #onHover = (event: Event): void => {
    const element = this.#target(event);
    if (element && fades(element)) this.listener.onHover(element);
  };

  readonly #onAct = (event: Event): void => {
    const element = this.#target(event);
    if (!element || isTab(event)) return;
    if (this.gate.lets(event)) return this.#note(event);
    if (!this.#concerns(event, element)) return;
    this.keeper.note(fieldOf(element));
    if (!GESTURES.includes(event.type) || (event.type === 'touchstart' && maySlide(element)))
      event.preventDefault();
    event.stopImmediatePropagation();
    if (['keydown', 'beforeinput', 'mousedown', 'drop', 'paste'].includes(event.type))
      this.listener.onRefused();
  };

  readonly #onChange = (event: Event): void => {
    const element = this.#target(event);
    if (!element) return;
    if (this.gate.lets(event)) return this.#note(event);
    if (!this.masks.covers(element) && !this.#hides(event, element)) return;
    this.keeper.restore(fieldOf(element));
    event.stopImmediatePropagation();
    this.listener.onRefused();
  };

  readonly #note = (event: Event): void => {
    const [element] = event.composedPath();
    if (element instanceof Element && this.masks.covers(element)) this.keeper.note(fieldOf(element));
  };

  /** The element that a person's event is meant for, on pages with masks. */
  #target(event: Event): Element | undefined {
    // One that a frame had before its document has a successor.
    if (!event.isTrusted || document !== this.#document || !this.masks.any) return undefined;
    const [node] = event.composedPath();
    if (node instanceof Element) return node;
    if (node instanceof Document) return node.documentElement;
    return node instanceof Node ? (node.parentElement ?? undefined) : undefined;
  }

  #concerns(event: Event, element: Element): boolean {
    const { masks } = this;
    return (
      masks.covers(element) ||
      this.#hides(event, element) ||
      controlsOf(event, element).some((control) => masks.covers(control)) ||
      (event instanceof InputEvent && this.#edits(event, element))
    );
  }

  /** Whether the event may be meant for something in a tree that is not known. */
  #hides(event: Event, element: Element): boolean {
    const hides = this.#mayMean(event.type, element);
    if (hides) this.listener.onHidden(element);
    return hides;
  }

  #mayMean(type: string, element: Element): boolean {
    if (KEYS.includes(type)) return hidesFocus(element);
    if (BEGINNINGS.includes(type)) {
      this.#blind = mayHide(element);
      return this.#blind;
    }
    if (ENDS.includes(type)) return this.#blind || (isCustom(element) && mayHide(element));
    return (type === 'beforeinput' || type === 'input') && mayHide(element) && !isEditable(element);
  }

  /** Whether what an editor is about to do meets something masked inside it. What is undone may be anywhere. */
  #edits(event: InputEvent, element: Element): boolean {
    if (event.inputType.startsWith('history')) return true;
    if (event.type !== 'beforeinput' || !(element instanceof HTMLElement)) return false;
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return false;
    return event.getTargetRanges().some((range) => this.masks.meets(range, element));
  }
}

function maySlide(element: Element): boolean {
  return mayHide(element) || (element instanceof HTMLInputElement && element.type === 'range');
}

/** What a click on something changes besides. */
function controlsOf(event: Event, element: Element): Element[] {
  if (!PRESSES.includes(event.type)) return [];
  const controls: Element[] = [];
  for (let at: Element | undefined = element; at; at = parentOf(at)) {
    if (at instanceof HTMLLabelElement && at.control) controls.push(at.control, ...groupOf(at.control));
    controls.push(...groupOf(at));
    if ((at instanceof HTMLButtonElement || at instanceof HTMLInputElement) && at.type === 'reset')
      controls.push(...(at.form?.elements ?? []));
  }
  return controls;
}

/** Radio buttons of which one is chosen. */
function groupOf(element: Element): Element[] {
  if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return [];
  const root = element.form ?? element.getRootNode();
  if (!(root instanceof Element || root instanceof Document || root instanceof ShadowRoot)) return [];
  const radios = root.querySelectorAll<HTMLInputElement>('input[type=radio]');
  return [...radios].filter(({ name }) => name !== '' && name === element.name);
}

/** The field that an element is, or is in. */
function fieldOf(element: Element): Element {
  if (element instanceof HTMLOptionElement) return element.closest('select') ?? element;
  if (!(element instanceof HTMLElement) || !element.isContentEditable) return element;
  let field = element;
  while (field.parentElement?.isContentEditable) field = field.parentElement;
  return field;
}

/** Whoever is in a masked field may leave it. */
function isTab(event: Event): boolean {
  return event instanceof KeyboardEvent && event.key === 'Tab';
}
