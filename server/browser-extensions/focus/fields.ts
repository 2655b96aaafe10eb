import { deepFocus, mayHide, treeOf } from './tree.js';
import type { Masks } from './masks.js';

/** What has the focus, as the host reads it; see `readFocus` of the host. */
export interface FocusReport {
  /** This frame has the keyboard, or one inside it does. */
  focused: boolean;
  visible: boolean;
  kind: string;
  inputMode: string;
  masked: boolean;
  /** It may be inside a tree that is closed to this script. */
  hidden: boolean;
  /** Left, top, width and height in CSS pixels of the frame. */
  rectangle: [number, number, number, number];
}

const TEXT = ['text', 'search', 'email', 'url', 'tel', 'number', 'password'];
const DATES = ['date', 'datetime-local', 'month', 'time', 'week'];
const TOGGLES = ['checkbox', 'radio'];
/** Kinds of fields that do not have the caret themselves, or only in a part of them. */
const SELECTING = ['rich', 'none', 'toggle', 'range', 'select', 'color', 'file'];
const BUTTONS = ['button', 'submit', 'reset', 'image'];

/** Whether text can be put into the element itself. */
export function isEditable(element: Element): boolean {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return true;
  if (document.designMode === 'on') return true;
  return (
    element instanceof HTMLElement &&
    (element.isContentEditable || ('editContext' in element && Boolean(element.editContext)))
  );
}

/** What kind of field an element is; `none` for what takes no text and no choice. */
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

/** Whether the focus is inside an element's tree that this script cannot see. */
export function hidesFocus(element: Element): boolean {
  // An element whose tree takes the focus for it looks as if it had the focus itself.
  return mayHide(element) && element.matches(':focus-within');
}

/** What has the focus now. */
export function focusOf(masks: Masks): FocusReport {
  const element = deepFocus();
  const seen = { focused: document.hasFocus(), visible: document.visibilityState === 'visible' };
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
 * An editor's focus is that of all of it; what it would write is at its selection. What takes no text leaves the selection where it
 * was, and Chromium writes what is composed or inserted there.
 */
function caretIsMasked(masks: Masks, element: Element): boolean {
  const kind = kindOf(element);
  if (!masks.any || !SELECTING.includes(kind) || element === document.body) return false;
  const selection = getSelection();
  if (!selection || selection.rangeCount === 0) return false;
  const range = selection.getRangeAt(0);
  if (kind === 'rich') return masks.meets(range, element);
  const { startContainer, startOffset } = range;
  // The selection in a field, or in a tree of its own, is shown as being in front of it.
  const field = startContainer.childNodes[startOffset];
  const within = field instanceof Element ? [field, ...(treeOf(field)?.querySelectorAll('*') ?? [])] : [];
  const around = startContainer.parentElement;
  const fields = around?.isContentEditable ? [...within, around] : within;
  return fields.some((found) => isEditable(found) && masks.covers(found));
}
