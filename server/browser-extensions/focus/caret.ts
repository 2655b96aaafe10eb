import { treeOf } from './tree.js';

/** Left, top, width and height in CSS pixels of the frame. */
export type Rectangle = [left: number, top: number, width: number, height: number];

/** A field's own tree, which the browser draws its text in: only there can a caret be measured. The host opens it to this script. */
const inner = new WeakMap<Element, ShadowRoot>();

/** Whether an element keeps its text in a tree of the browser's. */
export function hasInnerTree(element: Element): boolean {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}

/** Whether that tree is still to be opened. */
export function lacksInnerTree(element: Element): boolean {
  return hasInnerTree(element) && !inner.has(element);
}

export function innerTreeIs(element: Element, root: ShadowRoot): void {
  inner.set(element, root);
}

/** Where text would come in an element; undefined when that cannot be known. */
export function caretOf(element: Element): Rectangle | undefined {
  const range = selectionIn(element);
  if (!range) return undefined;
  range.collapse(false);
  const seen = [...range.getClientRects()].at(-1);
  const caret = seen ? edgeOf(seen) : inMiddle(element, beside(range));
  return caret && within(element, caret);
}

/** What is selected there. Each tree has a selection of its own. */
function selectionIn(element: Element): Range | undefined {
  const root = inner.get(element) ?? (treeOf(element) ? undefined : element.getRootNode());
  const selection = root && 'getSelection' in root && isAsked(root.getSelection) ? root.getSelection() : null;
  if (!selection || selection.rangeCount === 0) return undefined;
  return selection.getRangeAt(0).cloneRange();
}

function isAsked(value: unknown): value is () => Selection | null {
  return typeof value === 'function';
}

/** The right edge of a rectangle, of no width. */
function edgeOf({ right, top, height }: DOMRect): Rectangle {
  return [right, top, 0, height];
}

/** Between elements, or in an empty one, a range has no rectangle: then what is beside it has. */
function beside({ startContainer, startOffset }: Range): Rectangle | undefined {
  const next = startContainer.childNodes[startOffset];
  if (next instanceof Element && next.localName === 'br') {
    const { left, top, height } = next.getBoundingClientRect();
    return [left, top, 0, height];
  }
  const around = startContainer instanceof Element ? startContainer : startContainer.parentElement;
  return around ? startOf(around) : undefined;
}

/** The one line of a field is in its middle. */
function inMiddle(element: Element, caret: Rectangle | undefined): Rectangle | undefined {
  if (!caret || !(element instanceof HTMLInputElement)) return caret;
  const box = element.getBoundingClientRect();
  const [left, , width, height] = caret;
  return [left, box.top + (box.height - height) / 2, width, height];
}

/** Where text begins in an element without any. */
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

/** A field shows no caret outside of itself, though its text may be longer. */
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
