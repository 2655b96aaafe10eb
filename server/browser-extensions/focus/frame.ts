import { focusOf, type FocusReport } from './fields.js';
import { Gate } from './gate.js';
import { Keeper } from './keeper.js';
import { Masks } from './masks.js';
import { Refusals } from './refusals.js';
import { startTeller } from './teller.js';
import { deepAt, deepFocus, isPlain, mayHide, opens } from './tree.js';

/** What the host calls, by the name that it chose. */
interface FocusGuard {
  /** Whether it guards the document that the frame has: a frame may get another one and keep its globals. */
  live(): boolean;
  /** Lets input into masked fields, for so many milliseconds. */
  open(lease: number): true;
  close(): true;
  focus(): FocusReport;
  /** What has the focus, and what is at a place of the screen: whether it is masked, or may hide something that is. */
  look(x: number, y: number, pixelRatio: number): FocusReport & { under: boolean; hides: boolean };
  /** Whether a field is masked. */
  covers(element: Element): boolean;
  /** The element that the host is to look into. */
  hidden(): Element | undefined;
  /** What it found there: its tree, or none. */
  found(element: Element, root?: ShadowRoot): true;
}

function say(message: object): void {
  const tell: unknown = Reflect.get(globalThis, SETUP.tell);
  if (isTell(tell)) tell(JSON.stringify(message));
}

/** Keeps masked fields, and tells what has the focus. */
function startGuard(): FocusGuard {
  const masks = new Masks(SETUP.masks, (selector) => say({ type: 'invalid', selector }));
  const gate = new Gate();
  const keeper = new Keeper();
  let hidden: Element | undefined;
  const hides = (element: Element) => {
    hidden = element;
    say({ type: 'hidden' });
  };
  const refusals = new Refusals(masks, gate, keeper, {
    onRefused: () => say({ type: 'refused' }),
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
  // A field that loses the focus is followed by one that gets it.
  const reportSoon = () => void Promise.resolve().then(report);
  const leave = () => gate.close();
  const listen = () => {
    if (SETUP.masks.length > 0) refusals.guard(window);
    for (const type of ['focus', 'blur']) addEventListener(type, reportSoon, true);
    document.addEventListener('visibilitychange', reportSoon, true);
    addEventListener('pagehide', leave, true);
  };
  listen();
  // `document.open` takes all listeners away, those of this world too. What is listened to already stays as it is.
  new MutationObserver(listen).observe(document, { childList: true });
  const focus = () => {
    gate.rest();
    const element = deepFocus();
    const found = focusOf(masks);
    if (element && found.masked) keeper.note(element);
    if (element && found.hidden) hidden = element;
    return found;
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
      // What is known of the window is in CSS pixels that no zoom changes.
      const end = (screenY + outerHeight) * pixelRatio;
      const top = Math.max(0, end - Math.round(innerHeight * devicePixelRatio));
      const element = deepAt((x - screenX * pixelRatio) / scale, (y - top) / scale);
      const found = focus();
      const under = element !== undefined && masks.covers(element);
      const mayBe = element !== undefined && masks.any && mayHide(element);
      if (mayBe && !found.hidden) hidden = element;
      return { ...found, under, hides: mayBe };
    },
    covers: (element) => masks.any && masks.covers(element),
    hidden: () => hidden,
    found(element, root) {
      if (root) {
        opens(root);
        refusals.guard(root);
      } else isPlain(element);
      // Another one may be waiting by now.
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

/** Runs in every frame, before the page's scripts where that is asked for, in a world of its own. */
if (!isLive(Reflect.get(globalThis, SETUP.name))) {
  const value = SETUP.does === 'keeps-masks' ? startGuard() : startTeller(say);
  Object.defineProperty(globalThis, SETUP.name, { value, configurable: true });
}
