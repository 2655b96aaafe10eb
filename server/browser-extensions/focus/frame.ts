import { focusOf, type FocusReport } from './fields.js';
import { Gate } from './gate.js';
import { Keeper } from './keeper.js';
import { markedFrame, marksOf, type Marks } from './marks.js';
import { Masks } from './masks.js';
import { Refusals } from './refusals.js';
import { startTeller } from './teller.js';
import { isFrame, placeInside } from './place-inside.js';
import { deepAt, deepFocus, isPlain, mayHide, opens } from './tree.js';

/** Functions that the host calls, under the global name that it chose. */
interface FocusGuard {
  /**
   * True if it guards the frame's present document. A frame may get another document and keep its globals.
   */
  live(): boolean;
  /** Allows input into masked fields for this many milliseconds. */
  open(lease: number): true;
  close(): true;
  focus(): FocusReport;
  /** Reports the focus, and the element at a position on the screen. */
  look(x: number, y: number, pixelRatio: number): Look;
  /** Reports the same for a position in this frame, in its CSS pixels. */
  lookInside(x: number, y: number): Look;
  /** Returns the frame element at the last position of {@link look} or {@link lookInside}. */
  under(): Element | undefined;
  /** True if a field is masked. */
  covers(element: Element): boolean;
  /**
   * Returns the areas of masked elements and frames. With `passwords` also of password fields. With `filled`
   * only of elements that have content.
   */
  marks(passwords: boolean, filled: boolean): Marks;
  /** Returns a frame element of the last answer of {@link marks}. */
  markedFrame(index: number): Element | undefined;
  /** Returns the document. The host looks for closed trees in it. */
  document(): Document;
  /** Returns the element whose closed tree the host should open. */
  hidden(): Element | undefined;
  /** Takes the result: the element's tree, or none. */
  found(element: Element, root?: ShadowRoot): true;
}

/** A {@link FocusReport}, and the element at a position. */
interface Look extends FocusReport {
  /** True if the element is masked. */
  under: boolean;
  /** True if the element may hide a masked one. */
  hides: boolean;
  /** The position inside the frame that the element shows; absent for other elements. */
  inside?: [x: number, y: number];
  /** True if the position is in this frame. */
  within: boolean;
}

function say(message: object): void {
  const tell: unknown = Reflect.get(globalThis, SETUP.tell);
  if (isTell(tell)) tell(JSON.stringify(message));
}

/** Guards masked fields, and reports the focus. */
function startGuard(): FocusGuard {
  const masks = new Masks(SETUP.masks);
  const gate = new Gate();
  const keeper = new Keeper();
  let hidden: Element | undefined;
  const hides = (element: Element) => {
    hidden = element;
    say({ type: 'hidden' });
  };
  const refusals = new Refusals(masks, gate, keeper, {
    onRefused: (press) => say({ type: 'refused', press }),
    onHidden: hides,
    onHover: (element) => {
      if (!hidden) hides(element);
    },
  });
  let last = '';
  const report = () => {
    const focus = focusOf(masks);
    const text = JSON.stringify(focus);
    if (text !== last) say({ type: 'focus', focus });
    last = text;
  };
  // Waits, because a field that loses the focus is followed by one that gets it.
  const reportSoon = () => void Promise.resolve().then(report);
  const leave = () => gate.close();
  const listen = () => {
    if (SETUP.masks.length > 0) refusals.guard(window);
    for (const type of ['focus', 'blur']) addEventListener(type, reportSoon, true);
    document.addEventListener('visibilitychange', reportSoon, true);
    addEventListener('pagehide', leave, true);
  };
  listen();
  // `document.open` removes all listeners, including those of this world. Adding an existing listener again
  // changes nothing.
  new MutationObserver(listen).observe(document, { childList: true });
  const focus = () => {
    gate.rest();
    const element = deepFocus();
    const found = focusOf(masks);
    if (element && found.masked) keeper.note(element);
    if (element && found.hidden) hidden = element;
    return found;
  };

  let frameBelow: Element | undefined;
  const lookAt = (x: number, y: number): Look => {
    const element = deepAt(x, y);
    const found = focus();
    const under = element !== undefined && masks.covers(element);
    const hides = element !== undefined && masks.any && mayHide(element);
    if (hides && !found.hidden) hidden = element;
    frameBelow = isFrame(element) ? element : undefined;
    const inside = isFrame(element) ? placeInside(element, x, y) : undefined;
    const within = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
    return { ...found, under, hides, within, ...(inside && { inside }) };
  };

  const own = document;
  const guard: FocusGuard = {
    live: () => document === own,
    open(lease) {
      gate.open(lease);
      return true;
    },
    close() {
      gate.close();
      return true;
    },
    focus,
    look(x, y, pixelRatio) {
      const scale = devicePixelRatio * (visualViewport?.scale ?? 1);
      // The window's position is in CSS pixels that no zoom changes.
      const end = (screenY + outerHeight) * pixelRatio;
      const top = Math.max(0, end - Math.round(innerHeight * devicePixelRatio));
      return lookAt((x - screenX * pixelRatio) / scale, (y - top) / scale);
    },
    lookInside: lookAt,
    under: () => frameBelow,
    covers: (element) => masks.any && masks.covers(element),
    marks: (passwords, filled) => marksOf(masks, passwords, filled),
    markedFrame,
    document: () => document,
    hidden: () => hidden,
    found(element, root) {
      if (root) {
        opens(root);
        refusals.guard(root);
      } else isPlain(element);
      // Another element may be waiting by now.
      if (hidden === element) hidden = undefined;
      return true;
    },
  };
  report();
  return guard;
}

function isTell(value: unknown): value is (message: string) => void {
  return typeof value === 'function';
}

function isLive(guard: unknown): boolean {
  return typeof guard === 'object' && guard !== null && 'live' in guard && isLook(guard.live) && guard.live();
}

function isLook(value: unknown): value is () => boolean {
  return typeof value === 'function';
}

/** Runs in every frame, in an isolated world. It runs before the page's scripts if the host requests it. */
if (!isLive(Reflect.get(globalThis, SETUP.name))) {
  const value = SETUP.does === 'keeps-masks' ? startGuard() : startTeller(say);
  Object.defineProperty(globalThis, SETUP.name, { value, configurable: true });
}
