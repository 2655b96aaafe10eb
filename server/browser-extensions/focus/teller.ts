import { caretOf, hasInnerTree, innerTreeIs, lacksInnerTree, type Rectangle } from './caret.js';
import { hidesFocus, kindOf } from './fields.js';
import { Pace } from './pace.js';
import { deepFocus, isPlain, opens } from './tree.js';

/** What has the focus in a frame, as the host reads it; see `readReport` of the host. Never what is in it. */
export interface FieldReport {
  /** This frame has the keyboard, or one inside it does. */
  focused: boolean;
  visible: boolean;
  /** How many frames are around this one. */
  depth: number;
  /** Another number when another element has the focus, or the same one again. */
  turn: number;
  kind: string;
  /** The element's own attributes; empty where it has none. */
  hints: { inputMode: string; enterKeyHint: string; autocapitalize: string; autocomplete: string };
  multiline: boolean;
  /** It is in a form, which Enter would send. */
  inForm: boolean;
  /** Of the element; of a frame, its content. */
  rectangle: Rectangle;
  caret: Rectangle | null;
  /** CSS pixels of this frame for one of the frame in it. */
  scale: [x: number, y: number];
  /**
   * The window's left and lower end in CSS pixels that no zoom changes; the page's height in pixels of the screen, and those for a CSS
   * pixel; what fingers have zoomed to, in CSS pixels: left, top, width, height.
   */
  view: [
    ...[left: number, end: number, inner: number, scale: number],
    ...[zoomedLeft: number, zoomedTop: number, width: number, height: number],
  ];
}

/** What the host calls, by the name that it chose. */
interface FieldTeller {
  live(): boolean;
  report(): FieldReport;
  stop(): true;
  /** See `openClosedTree` of the host. */
  hidden(): Element | undefined;
  found(element: Element, root?: ShadowRoot): true;
}

/** Frames around a frame; more is no page for people. */
const MAX_DEPTH = 32;
const NOTHING: Rectangle = [0, 0, 0, 0];

/** Tells the host of the field with the focus in this frame, for as long as the host wants to know. */
export function startTeller(say: (message: object) => void): FieldTeller {
  const own = document;
  const listening = new AbortController();
  const { signal } = listening;
  let turn = 0;
  let before: Element | undefined;
  let hidden: Element | undefined;
  let last = '';

  const report = (): FieldReport => {
    const element = document.hasFocus() ? deepFocus() : undefined;
    if (element !== before) turn += 1;
    before = element;
    return { ...reportOf(element), turn };
  };
  const tell = () => {
    if (document !== own) return;
    const found = report();
    const text = JSON.stringify(found);
    if (text !== last) say({ type: 'field', field: found });
    last = text;
    // The host opens trees that are closed to this script.
    if (!before || hidden === before) return;
    if (!lacksInnerTree(before) && !(kindOf(before) === 'none' && hidesFocus(before))) return;
    hidden = before;
    say({ type: 'hidden' });
  };
  // A window becomes active without an event, after a dialog as late as after the event of the focus: without the keyboard a frame
  // looks by itself whether it has it again.
  const looksOn = () => (before ? kindOf(before) !== 'none' : document.visibilityState === 'visible');
  const pace = new Pace(tell, looksOn);
  const soon = () => pace.ask();

  const listen = () => {
    for (const type of ['focus', 'blur', 'scroll', 'input', 'selectionchange'])
      addEventListener(type, soon, { capture: true, passive: true, signal });
    addEventListener('resize', soon, { signal });
    document.addEventListener('visibilitychange', soon, { capture: true, signal });
    for (const type of ['resize', 'scroll']) visualViewport?.addEventListener(type, soon, { signal });
  };
  listen();
  // `document.open` takes all listeners away, those of this world too. What is listened to already stays as it is.
  const observer = new MutationObserver(listen);
  observer.observe(document, { childList: true });
  soon();
  return {
    live: () => document === own && !signal.aborted,
    report,
    stop() {
      listening.abort();
      observer.disconnect();
      pace.stop();
      return true;
    },
    hidden: () => hidden,
    found(element, root) {
      if (!root) isPlain(element);
      else if (hasInnerTree(element)) innerTreeIs(element, root);
      else opens(root);
      if (hidden === element) hidden = undefined;
      soon();
      return true;
    },
  };
}

function reportOf(element: Element | undefined): Omit<FieldReport, 'turn'> {
  const kind = element ? kindIn(element) : 'none';
  const attribute = (name: string) => element?.getAttribute(name)?.trim().toLowerCase().slice(0, 64) ?? '';
  return {
    focused: document.hasFocus(),
    visible: document.visibilityState === 'visible',
    depth: depthOf(window),
    kind,
    hints: {
      inputMode: element instanceof HTMLElement ? element.inputMode : '',
      enterKeyHint: element instanceof HTMLElement ? element.enterKeyHint : '',
      autocapitalize: element instanceof HTMLElement ? element.autocapitalize : '',
      autocomplete: attribute('autocomplete'),
    },
    multiline: element instanceof HTMLTextAreaElement || kind === 'rich',
    inForm: element instanceof HTMLInputElement && element.form !== null,
    ...(element && kind !== 'none' ? placeOf(element, kind) : { rectangle: NOTHING, scale: [1, 1] }),
    caret: (element && kind !== 'frame' && kind !== 'none' && caretOf(element)) || null,
    view: viewOf(),
  };
}

/** What nobody can write into is no field. */
function kindIn(element: Element): string {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
    if (element.readOnly || element.disabled) return 'none';
  return kindOf(element);
}

function placeOf(element: Element, kind: string): Pick<FieldReport, 'rectangle' | 'scale'> {
  const { left, top, width, height } = element.getBoundingClientRect();
  if (kind !== 'frame' || !(element instanceof HTMLElement))
    return { rectangle: [left, top, width, height], scale: [1, 1] };
  const [x, y] = [
    width / (element.offsetWidth || width || 1),
    height / (element.offsetHeight || height || 1),
  ];
  const { paddingLeft, paddingTop } = getComputedStyle(element);
  const inLeft = element.clientLeft + Number.parseFloat(paddingLeft);
  const inTop = element.clientTop + Number.parseFloat(paddingTop);
  return { rectangle: [left + inLeft * x, top + inTop * y, width, height], scale: [x, y] };
}

function viewOf(): FieldReport['view'] {
  const {
    scale = 1,
    offsetLeft = 0,
    offsetTop = 0,
    width = innerWidth,
    height = innerHeight,
  } = visualViewport ?? {};
  const inner = Math.round(innerHeight * devicePixelRatio);
  return [
    screenX,
    screenY + outerHeight,
    inner,
    devicePixelRatio * scale,
    offsetLeft,
    offsetTop,
    width,
    height,
  ];
}

function depthOf(from: Window): number {
  let depth = 0;
  for (let frame = from; frame.parent !== frame && depth < MAX_DEPTH; frame = frame.parent) depth += 1;
  return depth;
}
