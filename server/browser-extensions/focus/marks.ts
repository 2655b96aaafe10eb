import type { Masks } from './masks.js';
import { isFrame } from './place-inside.js';
import { treeOf } from './tree.js';

/** Left, top, right and bottom, in CSS pixels of the frame. */
type Area = [left: number, top: number, right: number, bottom: number];

/** Masked areas of a frame, and the frames in it. */
export interface Marks {
  visible: boolean;
  areas: Area[];
  /** The area of each inner frame, then the position and the scale of its content. */
  frames: [...Area, left: number, top: number, scale: number][];
}

/** Maximum number of elements to measure. A page with more is masked as a whole. */
const MAX_ELEMENTS = 50_000;
/** Difference of a frame's horizontal and vertical scale above which it is rotated or skewed. */
const MAX_SKEW = 0.02;

/** An area that covers every screen, in CSS pixels. */
const EVERYWHERE: Area = [-100_000, -100_000, 100_000, 100_000];

/** Frame elements of the last answer, in its order. */
let frames: Element[] = [];
/** Fields that were password fields. A page may show their text in a field of another type. */
const passwordFields = new WeakSet<Element>();

/**
 * Measures the masked elements and the frames of this document, in open and opened shadow trees too.
 *
 * @param passwords true to include password fields, and fields whose list of values is open
 * @param filled true to leave out masked elements without content
 */
export function marksOf(masks: Masks, passwords: boolean, filled = false): Marks {
  frames = [];
  const marks: Marks = { visible: document.visibilityState !== 'hidden', areas: [], frames: [] };
  if (!marks.visible) return marks;
  // The position of the visible part of a page that is zoomed by two fingers.
  const zoomed = window === window.top ? visualViewport : null;
  const [left, top] = [zoomed?.offsetLeft ?? 0, zoomed?.offsetTop ?? 0];
  let count = 0;
  const walk = (inside: Iterable<Element>, masked: boolean): void => {
    for (const element of inside) {
      if (++count > MAX_ELEMENTS) return;
      const isMasked = masked || masks.matches(element) || (passwords && isPassword(element));
      const box = isMasked || isFrame(element) ? areaOf(element, left, top) : undefined;
      if (isMasked && box && (!filled || hasContent(element)))
        marks.areas.push(passwords && showsList(element) ? EVERYWHERE : box);
      if (!isMasked && box && isFrame(element)) {
        frames.push(element);
        marks.frames.push([...box, ...contentOf(element, left, top)]);
      }
      const tree = treeOf(element);
      if (isMasked)
        for (const node of [...element.childNodes, ...(tree?.childNodes ?? [])]) {
          const text = node instanceof Text ? areaOfText(node, left, top) : undefined;
          if (text && !(box && isInside(text, box))) marks.areas.push(text);
        }
      if (tree) walk(tree.children, isMasked);
      walk(element.children, isMasked);
    }
  };
  walk([document.documentElement], false);
  if (count > MAX_ELEMENTS) marks.areas = [[0, 0, innerWidth, innerHeight]];
  return marks;
}

/** Returns a frame element of the last answer of {@link marksOf}. */
export function markedFrame(index: number): Element | undefined {
  return frames[index];
}

function isPassword(element: Element): boolean {
  if (!(element instanceof HTMLInputElement)) return false;
  if (element.type === 'password') passwordFields.add(element);
  return passwordFields.has(element);
}

/**
 * True if the element itself has text, apart from the elements inside it. A check box or a radio button has
 * content while it is checked: its value is a constant of the page.
 */
function hasContent(element: Element): boolean {
  if (element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type)) return element.checked;
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
    return element.value !== '';
  const nodes = [...element.childNodes, ...(treeOf(element)?.childNodes ?? [])];
  return isFrame(element) || nodes.some((node) => node instanceof Text && node.data.trim() !== '');
}

/** True if a list of values is open. The browser shows it in a window of its own, whose place is unknown. */
function showsList(element: Element): boolean {
  try {
    return element.matches('select:open, input:open');
  } catch {
    // Older browsers do not know the pseudo-class.
    return element === element.ownerDocument.activeElement && element.matches('select');
  }
}

function areaOf(element: Element, left: number, top: number): Area | undefined {
  const box = element.getBoundingClientRect();
  if (box.width === 0 && box.height === 0 && element.scrollWidth === 0) return undefined;
  // Content may be outside of its element.
  const right = box.left + Math.max(box.width, element.scrollWidth);
  const bottom = box.top + Math.max(box.height, element.scrollHeight);
  return [box.left - left, box.top - top, right - left, bottom - top];
}

/** Returns the area of a text, which may be outside of its element: the element may have no box. */
function areaOfText(text: Text, left: number, top: number): Area | undefined {
  const range = document.createRange();
  range.selectNodeContents(text);
  const box = range.getBoundingClientRect();
  return box.width > 0 ? [box.left - left, box.top - top, box.right - left, box.bottom - top] : undefined;
}

function isInside(area: Area, [left, top, right, bottom]: Area): boolean {
  return area[0] >= left && area[1] >= top && area[2] <= right && area[3] <= bottom;
}

/** Returns position and scale of a frame's content. The scale is 0 if the content is rotated or skewed. */
function contentOf(frame: HTMLElement, left: number, top: number): [number, number, number] {
  const box = frame.getBoundingClientRect();
  const { paddingLeft, paddingTop } = getComputedStyle(frame);
  const scale = frame.offsetWidth > 0 ? box.width / frame.offsetWidth : 1;
  const down = frame.offsetHeight > 0 ? box.height / frame.offsetHeight : 1;
  return [
    box.left + (frame.clientLeft + parseFloat(paddingLeft)) * scale - left,
    box.top + (frame.clientTop + parseFloat(paddingTop)) * scale - top,
    Math.abs(scale - down) > MAX_SKEW * scale ? 0 : scale,
  ];
}
