import { caretOf, hasInnerTree, innerTreeIs, lacksInnerTree, type Rectangle } from './caret.js';
import { hidesFocus, kindOf } from './fields.js';
import { Pace } from './pace.js';
import { deepFocus, isPlain, opens } from './tree.js';

/**
 * Focus in a frame, in the form that the host reads; see `readReport` of the host. It never contains a
 * field's content.
 */
export interface FieldReport {
  /** True if this frame, or a frame inside it, has the keyboard. */
  focused: boolean;
  visible: boolean;
  /** Number of frames around this one. */
  depth: number;
  /** Changes when another element gets the focus, or the same one gets it again. */
  turn: number;
  kind: string;
  /** The element's own attributes; empty where it has none. */
  hints: { inputMode: string; enterKeyHint: string; autocapitalize: string; autocomplete: string };
  multiline: boolean;
  /** True if it is in a form, which Enter would send. */
  inForm: boolean;
  /** Position of the element; for a frame, of its content. */
  rectangle: Rectangle;
  caret: Rectangle | null;
  /** CSS pixels of this frame per CSS pixel of the frame inside it. */
  scale: [x: number, y: number];
  /**
   * Position of the page. The window's left and lower edge in CSS pixels that no zoom changes. The page's
   * height in pixels of the screen. Pixels of the screen per CSS pixel. The area that the pinch zoom shows,
   * in CSS pixels: left, top, width, height.
   */
  view: [
    ...[left: number, end: number, inner: number, scale: number],
    ...[zoomedLeft: number, zoomedTop: number, width: number, height: number],
  ];
}

/** Functions that the host calls, under the global name that it chose. */
interface FieldTeller {
  live(): boolean;
  report(): FieldReport;
  stop(): true;
  /** See `openClosedTree` of the host. */
  hidden(): Element | undefined;
  found(element: Element, root?: ShadowRoot): true;
}

/** Maximum number of frames around a frame. No page for people has more. */
const MAX_DEPTH = 32;
const NOTHING: Rectangle = [0, 0, 0, 0];

/** Reports the field with the focus in this frame to the host, until the host stops it. */
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
  // A window becomes active without an event. After a dialog this is even later than the focus event. So a
  // frame without the keyboard checks repeatedly if it has it again.
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
  // `document.open` removes all listeners, including those of this world. Adding an existing listener again
  // changes nothing.
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

/** Returns the kind of a field. A field that nobody can write into counts as none. */
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
