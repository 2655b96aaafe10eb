import { callOnElement } from './element-world.js';
import type { TreeNode } from './tree-node.js';

/**
 * Timeout for one action on an element. During the action the page's event listeners run, and the input of
 * all users waits. Milliseconds.
 */
const ACT_TIMEOUT_MS = 700;

/** Position of an element in the viewport of its frame or of an outer frame, in CSS pixels. */
export interface ElementPlace {
  x: number;
  y: number;
  /**
   * True if a click at this position reaches the element: the element, its content or its label is on top
   * there, and each frame around the element is on top too.
   */
  reachable: boolean;
}

/**
 * Result of setting an element's value. `done`: the element has the value. `type`: the value must be typed.
 * `none`: the element accepts no value.
 */
export type Given = 'done' | 'type' | 'none';

/**
 * Scrolls the element into view. Rejects with `CdpError`, like all functions of this file, because the page
 * or the element may be gone.
 */
export async function scrollToElement({ session, key: backendNodeId }: TreeNode): Promise<void> {
  await session.send('DOM.scrollIntoViewIfNeeded', { backendNodeId }, ACT_TIMEOUT_MS);
}

/**
 * Returns the position of the element's middle in the viewport of its page. Undefined if the element has no
 * position.
 */
export async function placeOfElement(node: TreeNode): Promise<ElementPlace | undefined> {
  const own = readPlace(await onElement(node, PLACE));
  if (!own) return undefined;
  let place = own;
  for (let around = node.parent; around; around = around.parent) {
    if (around.facts.role !== 'Iframe') continue;
    const inside = readPlace(await onElement(around, FRAME, String(place.x), String(place.y)));
    if (!inside) return undefined;
    place = { ...inside, reachable: place.reachable && inside.reachable };
  }
  return place;
}

/** Focuses the element. */
export async function focusElement({ session, key: backendNodeId }: TreeNode): Promise<void> {
  await session.send('DOM.focus', { backendNodeId }, ACT_TIMEOUT_MS);
}

/** Clicks the element by script. Used for elements that the pointer cannot reach. */
export async function clickElement(node: TreeNode): Promise<void> {
  await onElement(node, CLICK);
}

/** Sets the element's value, or selects all its text so that the value can be typed over it. */
export async function giveValue(node: TreeNode, value: string): Promise<Given> {
  const said = await onElement(node, GIVE, value);
  return said === 'done' || said === 'type' ? said : 'none';
}

function onElement(node: TreeNode, functionDeclaration: string, ...args: string[]): Promise<unknown> {
  return callOnElement(node, functionDeclaration, { args, timeoutMs: ACT_TIMEOUT_MS, userGesture: true });
}

/** Reads a position. Checks the numbers, because a page can give its elements any position. */
function readPlace(value: unknown): ElementPlace | undefined {
  if (!Array.isArray(value)) return undefined;
  const [x, y, reachable] = value as readonly unknown[];
  return isNumber(x) && isNumber(y) ? { x, y, reachable: reachable === true } : undefined;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** Script that reads the offset of the outermost viewport. A pinch zoom changes this offset. */
const ZOOMED = `const zoomed = window === window.top ? window.visualViewport : undefined;
  const [left, top] = [zoomed?.offsetLeft ?? 0, zoomed?.offsetTop ?? 0];`;

/**
 * Script that returns the position of an element's middle, and true if the element is on top there. If the
 * pointer cannot reach the element, the position may be that of its label.
 */
const PLACE = `function () {
  const element = this.nodeType === 1 ? this : this.parentElement;
  if (!element) return;
  const range = document.createRange();
  if (this.nodeType !== 1) range.selectNode(this);
  ${ZOOMED}
  const labels = [...(element.labels ?? [])];
  let place;
  for (const target of [this.nodeType === 1 ? element : range, ...labels]) {
    const boxes = [...target.getClientRects()];
    const box = boxes.find(({ width, height }) => width > 0 && height > 0);
    if (!box) continue;
    const x = (Math.max(0, box.left) + Math.min(innerWidth, box.right)) / 2;
    const y = (Math.max(0, box.top) + Math.min(innerHeight, box.bottom)) / 2;
    const hit = element.getRootNode().elementFromPoint(x, y);
    // Content that is put into the slot of a component is not inside the component's own elements. The hit at
    // a text is the element around the text.
    const holds = (node) =>
      node.nodeType === 1
        ? node.contains(hit) ||
          [node, ...node.querySelectorAll('slot')].some((slot) => slot.assignedNodes?.().some(holds))
        : node.parentElement === hit;
    // A label can contain a link, such as that to the terms to accept.
    const other = hit?.closest('a[href], button, input, select, textarea') ?? element;
    const isLabel = (label) => holds(label) && (other === element || other.contains(label));
    const reachable = hit !== null && (holds(element) || labels.some(isLabel));
    if (reachable) return [x - left, y - top, true];
    place ??= [x - left, y - top, false];
  }
  return place;
}`;

/**
 * Script that converts a position in a frame's document into a position in the document around the frame
 * element. It also returns true if the frame element is on top there.
 */
const FRAME = `function (insideX, insideY) {
  const box = this.getBoundingClientRect();
  const style = getComputedStyle(this);
  const scale = this.offsetWidth > 0 ? box.width / this.offsetWidth : 1;
  const x = box.left + (this.clientLeft + parseFloat(style.paddingLeft) + Number(insideX)) * scale;
  const y = box.top + (this.clientTop + parseFloat(style.paddingTop) + Number(insideY)) * scale;
  const reachable = this.getRootNode().elementFromPoint(x, y) === this;
  ${ZOOMED}
  return [x - left, y - top, reachable];
}`;

/**
 * Script that sends the page the events of a changed value, as Chromium does when a user chooses an option of
 * a list.
 */
const TELL = `const tell = (element) => {
    element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    element.dispatchEvent(new Event('change', { bubbles: true }));
  };`;

const CLICK = `function () {
  const element = this.nodeType === 1 ? this : this.parentElement;
  const list = element instanceof HTMLOptionElement ? element.closest('select') : null;
  if (!list) {
    if (!element) return;
    // A program types afterwards, and the text must not go into the field that had the focus before.
    if (element.isContentEditable || element.matches('input, textarea')) element.focus();
    // Elements of SVG have no method for this.
    if (element.click) element.click();
    else element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true }));
    return;
  }
  if (element.matches(':disabled') || list.matches(':disabled')) return;
  element.selected = list.multiple ? !element.selected : true;
  ${TELL}
  tell(list);
}`;

/**
 * Script with two checks of a value. `typable` is true if a text field accepts the value as typed text.
 * `kept` is true if a field of another type has kept the value. The browser replaces a value that is not
 * possible.
 */
const CHECKS = `const typable = (field) => field.maxLength < 0 || value.length <= field.maxLength;
  const bound = (text, standard) => (text.trim() === '' || isNaN(text) ? standard : Number(text));
  const kept = (field) => {
    if (field.type === 'range') {
      const isNumber = value.trim() !== '' && !isNaN(value);
      return isNumber && Number(value) >= bound(field.min, 0) && Number(value) <= bound(field.max, 100);
    }
    if (field.type === 'color') return field.value === value.toLowerCase() || field.value !== '#000000';
    return value === '' || field.value !== '';
  };`;

const GIVE = `function (value) {
  ${TELL}
  ${CHECKS}
  const element = this.nodeType === 1 ? this : this.parentElement;
  if (!element || element.matches(':disabled') || element.readOnly) return 'none';
  element.focus();
  if (element instanceof HTMLSelectElement) {
    const options = [...element.options];
    const named = (option) => (option.label || option.text).replace(/\\s+/g, ' ').trim() === value.trim();
    const option = options.find(named) ?? options.find((other) => other.value === value);
    if (!option || option.matches(':disabled')) return 'none';
    option.selected = true;
    tell(element);
    return 'done';
  }
  // A number is not typed. Depending on its language, the browser would accept 1,5 or 1.5 as 15.
  const typed = ['text', 'search', 'email', 'url', 'tel', 'password'];
  if (element instanceof HTMLInputElement && !typed.includes(element.type)) {
    if (['checkbox', 'radio', 'file', 'button', 'submit', 'reset', 'image', 'hidden'].includes(element.type)) return 'none';
    const before = element.value;
    element.value = value;
    if (!kept(element)) {
      element.value = before;
      return 'none';
    }
    tell(element);
    return 'done';
  }
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    if (!typable(element)) return 'none';
    // Without the focus, the value would be typed into another field.
    if (element.getRootNode().activeElement !== element) return 'none';
    element.select();
  } else if (element.isContentEditable) getSelection().selectAllChildren(element);
  else return 'none';
  if (value !== '') return 'type';
  document.execCommand('delete');
  return 'done';
}`;
