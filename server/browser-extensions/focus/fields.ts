import { deepFocus, mayHide, treeOf } from './tree.js';
import type { Masks } from './masks.js';

/** Focus in a frame, in the form that the host reads; see `readFocus` of the host. */
export interface FocusReport {
  /** True if this frame, or a frame inside it, has the keyboard. */
  focused: boolean;
  visible: boolean;
  kind: string;
  inputMode: string;
  masked: boolean;
  /** True if it may be inside a tree that is closed to this script. */
  hidden: boolean;
  /** The selector of `field_masking` that the browser does not accept, if there is one for this page. */
  invalid?: string;
  /** Left, top, width and height in CSS pixels of the frame. */
  rectangle: [number, number, number, number];
}

const TEXT = ['text', 'search', 'email', 'url', 'tel', 'number', 'password'];
const DATES = ['date', 'datetime-local', 'month', 'time', 'week'];
const TOGGLES = ['checkbox', 'radio'];
/** Kinds of fields that have no caret themselves, or only in a part of them. */
const SELECTING = ['rich', 'none', 'toggle', 'range', 'select', 'color', 'file'];
const BUTTONS = ['button', 'submit', 'reset', 'image'];

/** True if text can be entered into the element itself. */
export function isEditable(element: Element): boolean {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return true;
  if (document.designMode === 'on') return true;
  return (
    element instanceof HTMLElement &&
    (element.isContentEditable || ('editContext' in element && Boolean(element.editContext)))
  );
}

/** Returns the kind of field of an element; `none` if it takes no text and no choice. */
export function kindOf(element: Element): string {
  if (element instanceof HTMLTextAreaElement) return 'text';
  if (element instanceof HTMLSelectElement) return 'select';
  if (element instanceof HTMLInputElement) {
    const { type } = element;
    if (TEXT.includes(type)) return type;
    if (DATES.includes(type)) return 'date';
    if (TOGGLES.includes(type)) return 'toggle';
    return BUTTONS.includes(type) ? 'none' : type;
  }
  if (element instanceof HTMLIFrameElement) return 'frame';
  return isEditable(element) ? 'rich' : 'none';
}

/** True if the focus is inside a tree of the element that this script cannot access. */
export function hidesFocus(element: Element): boolean {
  // An element whose tree has the focus looks as if it had the focus itself.
  return mayHide(element) && element.matches(':focus-within');
}

/** Returns the present focus. */
export function focusOf(masks: Masks): FocusReport {
  const element = deepFocus();
  const { invalid } = masks;
  const seen = {
    focused: document.hasFocus(),
    visible: document.visibilityState === 'visible',
    ...(invalid !== undefined && { invalid }),
  };
  if (!element)
    return { ...seen, kind: 'none', inputMode: '', masked: false, hidden: false, rectangle: [0, 0, 0, 0] };
  const { left, top, width, height } = element.getBoundingClientRect();
  const hidden = masks.any && hidesFocus(element);
  return {
    ...seen,
    kind: kindOf(element),
    inputMode: element instanceof HTMLElement ? element.inputMode : '',
    masked: masks.covers(element) || caretIsMasked(masks, element),
    hidden,
    rectangle: [left, top, width, height],
  };
}

/**
 * True if the selection of an element is masked. An editor has the focus as a whole, but writes at its
 * selection. An element that takes no text leaves the selection where it was, and Chromium inserts composed
 * or pasted text there.
 */
function caretIsMasked(masks: Masks, element: Element): boolean {
  const kind = kindOf(element);
  if (!masks.any || !SELECTING.includes(kind) || element === document.body) return false;
  const selection = getSelection();
  if (!selection || selection.rangeCount === 0) return false;
  const range = selection.getRangeAt(0);
  if (kind === 'rich') return masks.meets(range, element);
  const { startContainer, startOffset } = range;
  // A selection in a field, or in a shadow tree, appears as a position in front of it.
  const field = startContainer.childNodes[startOffset];
  const within = field instanceof Element ? [field, ...(treeOf(field)?.querySelectorAll('*') ?? [])] : [];
  const around = startContainer.parentElement;
  const fields = around?.isContentEditable ? [...within, around] : within;
  return fields.some((found) => isEditable(found) && masks.covers(found));
}
