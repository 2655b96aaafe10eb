import { hidesFocus, isEditable } from './fields.js';
import type { Gate } from './gate.js';
import type { Keeper } from './keeper.js';
import type { Masks } from './masks.js';
import { selectsMasked } from './selected.js';
import { fades, isCustom, mayHide, parentOf } from './tree.js';

/** Events of user actions on an element. Some would change it, the others report the action to the page. */
const ACTS = [
  ...['keydown', 'keypress', 'keyup', 'beforeinput', 'textInput', 'paste', 'cut', 'drop', 'dragstart'],
  'copy',
  ...['mousedown', 'mouseup', 'click', 'dblclick', 'auxclick'],
  ...['pointerdown', 'pointerup', 'touchstart', 'touchend', 'compositionstart', 'compositionupdate'],
];
/**
 * Events whose propagation is stopped, but whose default action is not: a finger on a masked field still
 * scrolls.
 */
const GESTURES = ['pointerdown', 'pointerup', 'touchstart', 'touchend'];
/** Events that report a completed change. */
const CHANGES = ['input', 'change'];
/** Events that take the selected part of a page elsewhere. */
const TAKES = ['copy', 'cut', 'dragstart'];
const KEYS = ['keydown', 'keypress', 'keyup'];
const PRESSES = ['mousedown', 'click', 'pointerdown'];
/** Events that begin a press, and events that continue it. */
const BEGINNINGS = ['mousedown', 'pointerdown', 'touchstart'];
const ENDS = ['mouseup', 'pointerup', 'touchend', 'click', 'dblclick', 'auxclick'];

/** Receiver of a frame guard's refusals. */
export interface RefusalListener {
  /** @param press true for a press, which has not moved the focus */
  onRefused(press: boolean): void;
  /**
   * Called with an element that may hide the target. Nothing inside it takes input until its tree is known.
   */
  onHidden(element: Element): void;
  /**
   * Called with the element under the pointer if it may hide another one. Its tree should be known before a
   * user presses.
   */
  onHover(element: Element): void;
}

/**
 * Blocks input to masked fields while the gate is closed. It listens before the page's own scripts, which do
 * not receive refused events.
 */
export class Refusals {
  readonly #document = document;
  /** True if the target of the present press is unknown. */
  #blind = false;

  constructor(
    private readonly masks: Masks,
    private readonly gate: Gate,
    private readonly keeper: Keeper,
    private readonly listener: RefusalListener,
  ) {}

  /** Listens to a window, or to a closed shadow tree. */
  guard(target: EventTarget): void {
    // Sliders follow a finger from its first touch, unless that event's default action is prevented.
    for (const type of ACTS) target.addEventListener(type, this.#onAct, { capture: true, passive: false });
    for (const type of CHANGES) target.addEventListener(type, this.#onChange, true);
    target.addEventListener('focusin', this.#note, true);
    // For elements in the page itself, the host asks before a user presses.
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
    if (['keydown', 'beforeinput', 'mousedown', 'drop', 'paste', 'copy'].includes(event.type))
      this.listener.onRefused(event.type === 'mousedown');
  };

  readonly #onChange = (event: Event): void => {
    const element = this.#target(event);
    if (!element) return;
    if (this.gate.lets(event)) return this.#note(event);
    if (!this.masks.covers(element) && !this.#hides(event, element)) return;
    this.keeper.restore(fieldOf(element));
    event.stopImmediatePropagation();
    this.listener.onRefused(false);
  };

  readonly #note = (event: Event): void => {
    const [element] = event.composedPath();
    if (element instanceof Element && this.masks.covers(element)) this.keeper.note(fieldOf(element));
  };

  /** Returns the target element of a user's event on pages with masks. */
  #target(event: Event): Element | undefined {
    // A guard of the frame's earlier document was replaced by another guard.
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
      (event instanceof InputEvent && this.#edits(event, element)) ||
      (TAKES.includes(event.type) && selectsMasked(masks))
    );
  }

  /** True if the event may be meant for an element in a tree that is not known. */
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

  /** True if an editor's next action concerns something masked inside it. An undo may change any place. */
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

/** Returns the elements that a click changes in addition to its target. */
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

/** Returns the radio buttons of the same group. */
function groupOf(element: Element): Element[] {
  if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return [];
  const root = element.form ?? element.getRootNode();
  if (!(root instanceof Element || root instanceof Document || root instanceof ShadowRoot)) return [];
  const radios = root.querySelectorAll<HTMLInputElement>('input[type=radio]');
  return [...radios].filter(({ name }) => name !== '' && name === element.name);
}

/** Returns the field that an element is, or that contains it. */
function fieldOf(element: Element): Element {
  if (element instanceof HTMLOptionElement) return element.closest('select') ?? element;
  if (!(element instanceof HTMLElement) || !element.isContentEditable) return element;
  let field = element;
  while (field.parentElement?.isContentEditable) field = field.parentElement;
  return field;
}

/** True for Tab: a user in a masked field may leave it. */
function isTab(event: Event): boolean {
  return event instanceof KeyboardEvent && event.key === 'Tab';
}
