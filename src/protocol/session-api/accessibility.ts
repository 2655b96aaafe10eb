/** What assistive technology is told of one thing on the remote page. Absent fields: the browser says nothing of that. */
export interface AccessibleNode {
  /** Another number for another thing; never used again in a connection. */
  id: number;
  /** As Chromium names it: an ARIA role such as `button`, or one of its own such as `RootWebArea`, `StaticText`, `Iframe`. */
  role: string;
  /** At most 2,000 characters, as every text here. */
  name?: string;
  description?: string;
  /** What is in a field or stands at a slider. Never of a password, nor of a masked field for those who may not write into it. */
  value?: string;
  /** What is inside, in its order. Some of it may still be on its way. */
  children: readonly number[];
  /** Can have the focus. */
  focusable?: boolean;
  /** Takes text: `lines` more than one line. `rich`: a part of an editor. */
  editable?: 'line' | 'lines' | 'rich';
  /** Hides what is written into it. */
  password?: boolean;
  disabled?: boolean;
  readonly?: boolean;
  required?: boolean;
  invalid?: boolean;
  checked?: 'true' | 'false' | 'mixed';
  pressed?: 'true' | 'false' | 'mixed';
  expanded?: boolean;
  selected?: boolean;
  multiselectable?: boolean;
  modal?: boolean;
  busy?: boolean;
  /** Of a heading or an item of a tree, from 1. */
  level?: number;
  hasPopup?: string;
  orientation?: string;
  autocomplete?: string;
  placeholder?: string;
  roleDescription?: string;
  keyShortcuts?: string;
  valueMin?: number;
  valueMax?: number;
  valueText?: string;
  /** Changes inside are to be announced. */
  live?: 'polite' | 'assertive';
  /** Such a change is announced with all around it. */
  atomic?: boolean;
  /** The thing inside that has the focus in its stead. */
  active?: number;
}

/**
 * How the tree stands: `reading`, more of it comes; `complete`; `silent`, the page does not answer, and is asked again by and by;
 * `none`, there is no page.
 */
export type AccessibilityState = 'reading' | 'complete' | 'silent' | 'none';

/** A part of the accessibility tree of the page in front. */
export interface AccessibilityUpdate {
  /** Forget all that was told before: another page, or too much was missed. */
  reset?: true;
  state: AccessibilityState;
  /** The outermost node; null before it is known. */
  root: number | null;
  /** The node that has the focus on the page; null: none, or the page itself. */
  focus: number | null;
  /** New nodes, and such as have changed, whole. */
  nodes: readonly AccessibleNode[];
  /** Nodes that are gone. */
  removed: readonly number[];
}

/**
 * What can be done to a node. `click`: as by a mouse, at its place; `focus`; `scroll`: brings it into view; `set`: gives a field, a list
 * or a slider another value.
 */
export const ACCESSIBILITY_ACTS = ['click', 'focus', 'scroll', 'set'] as const;
/** One of {@link ACCESSIBILITY_ACTS}. */
export type AccessibilityAct = (typeof ACCESSIBILITY_ACTS)[number];

/** The longest value that a node can be given, in characters. */
export const MAX_ACCESSIBLE_VALUE = 32_768;
