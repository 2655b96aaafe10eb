import { treeOf } from './tree.js';

/** Left, top, width and height in CSS pixels of the frame. */
export type Rectangle = [left: number, top: number, width: number, height: number];

/**
 * Shadow trees in which the browser draws a field's text. A caret can be measured only there. The host opens
 * them to this script.
 */
const inner = new WeakMap<Element, ShadowRoot>();

/** True if an element keeps its text in a shadow tree of the browser. */
export function hasInnerTree(element: Element): boolean {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}

/** True if that tree must still be opened. */
export function lacksInnerTree(element: Element): boolean {
  return hasInnerTree(element) && !inner.has(element);
}

export function innerTreeIs(element: Element, root: ShadowRoot): void {
  inner.set(element, root);
}

/** Returns the caret's position in an element; undefined if it is unknown. */
export function caretOf(element: Element): Rectangle | undefined {
  const range = selectionIn(element);
  if (!range) return undefined;
  range.collapse(false);
  const seen = [...range.getClientRects()].at(-1);
  const caret = seen ? edgeOf(seen) : inMiddle(element, beside(range));
  return caret && within(element, caret);
}

/** Returns the selection in an element. Each tree has its own selection. */
function selectionIn(element: Element): Range | undefined {
  const root = inner.get(element) ?? (treeOf(element) ? undefined : element.getRootNode());
  const selection = root && 'getSelection' in root && isAsked(root.getSelection) ? root.getSelection() : null;
  if (!selection || selection.rangeCount === 0) return undefined;
  return selection.getRangeAt(0).cloneRange();
}

function isAsked(value: unknown): value is () => Selection | null {
  return typeof value === 'function';
}

/** Returns the right edge of a rectangle, with width 0. */
function edgeOf({ right, top, height }: DOMRect): Rectangle {
  return [right, top, 0, height];
}

/** Returns a rectangle next to a range. Between elements, or in an empty one, a range has no rectangle. */
function beside({ startContainer, startOffset }: Range): Rectangle | undefined {
  const next = startContainer.childNodes[startOffset];
  if (next instanceof Element && next.localName === 'br') {
    const { left, top, height } = next.getBoundingClientRect();
    return [left, top, 0, height];
  }
  const around = startContainer instanceof Element ? startContainer : startContainer.parentElement;
  return around ? startOf(around) : undefined;
}

/** Centres the caret vertically in a single-line field. */
function inMiddle(element: Element, caret: Rectangle | undefined): Rectangle | undefined {
  if (!caret || !(element instanceof HTMLInputElement)) return caret;
  const box = element.getBoundingClientRect();
  const [left, , width, height] = caret;
  return [left, box.top + (box.height - height) / 2, width, height];
}

/** Returns the position at which text begins in an element without text. */
function startOf(element: Element): Rectangle {
  const box = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  const [left, right, top] = [
    box.left + pixels(style.borderLeftWidth) + pixels(style.paddingLeft),
    box.right - pixels(style.borderRightWidth) - pixels(style.paddingRight),
    box.top + pixels(style.borderTopWidth) + pixels(style.paddingTop),
  ];
  const height = pixels(style.lineHeight) || Math.round(pixels(style.fontSize) * 1.15);
  const ends = style.direction === 'rtl' ? { start: right, end: left } : { start: left, end: right };
  const places: Record<string, number> = { center: (left + right) / 2, left, right, end: ends.end };
  return [places[style.textAlign] ?? ends.start, top, 0, height];
}

function pixels(length: string): number {
  return Number.parseFloat(length) || 0;
}

/** Limits a caret to its field. A field shows no caret outside of itself, though its text may be longer. */
function within(element: Element, [left, top, width, height]: Rectangle): Rectangle {
  if (!hasInnerTree(element)) return [left, top, width, height];
  const box = element.getBoundingClientRect();
  const between = (value: number, from: number, to: number) => Math.max(from, Math.min(value, to));
  return [
    between(left, box.left, box.right),
    between(top, box.top, Math.max(box.top, box.bottom - height)),
    width,
    height,
  ];
}
