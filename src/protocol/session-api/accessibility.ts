/**
 * A node of the accessibility tree of the remote page. An optional field is absent if the browser reports no
 * value for it.
 */
export interface AccessibleNode {
  /** Unique per node. Never reused in a connection. */
  id: number;
  /**
   * The role in Chromium: an ARIA role such as `button`, or one of Chromium's own roles such as
   * `RootWebArea`, `StaticText`, `Iframe`.
   */
  role: string;
  /** At most 2,000 characters, like all texts of a node. */
  name?: string;
  description?: string;
  /**
   * The content of a field or the value of a slider. Never sent for a password. Never sent for a masked field
   * to users who may not type into it.
   */
  value?: string;
  /** The children, in order. Some of them may arrive later. */
  children: readonly number[];
  /** True if the node can have the focus. */
  focusable?: boolean;
  /**
   * Set if the node accepts text. `line`: one line. `lines`: several lines. `rich`: text with formats, as in
   * an editor.
   */
  editable?: 'line' | 'lines' | 'rich';
  /** True if the field hides its content. */
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
  /** For a heading or a tree item, from 1. */
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
  /** Set if assistive technology must announce changes inside the node. */
  live?: 'polite' | 'assertive';
  /** True if assistive technology must announce the whole node after a change inside it. */
  atomic?: boolean;
  /** The descendant that counts as focused while this node has the focus. */
  active?: number;
}

/**
 * The state of the tree. `reading`: more nodes follow. `complete`: all nodes are sent. `silent`: the page
 * does not answer, and the host retries. `none`: there is no page.
 */
export type AccessibilityState = 'reading' | 'complete' | 'silent' | 'none';

/** A change of the accessibility tree of the active tab's page. */
export interface AccessibilityUpdate {
  /** If true, discard all earlier nodes. The page changed, or too many changes were missed. */
  reset?: true;
  state: AccessibilityState;
  /** The root node. Null before it is known. */
  root: number | null;
  /** The focused node of the page. Null if no node or the page itself has the focus. */
  focus: number | null;
  /** New and changed nodes, complete. */
  nodes: readonly AccessibleNode[];
  /** Ids of removed nodes. */
  removed: readonly number[];
}

/**
 * The actions on a node. `click`: a mouse click at its position, or a click by script if the pointer cannot
 * reach the node. `focus`: focuses the node. `scroll`: scrolls the node into view. `set`: sets the value of a
 * field, a list or a slider.
 */
export const ACCESSIBILITY_ACTS = ['click', 'focus', 'scroll', 'set'] as const;
/** One of {@link ACCESSIBILITY_ACTS}. */
export type AccessibilityAct = (typeof ACCESSIBILITY_ACTS)[number];

/** Longest value for a node, in characters. */
export const MAX_ACCESSIBLE_VALUE = 32_768;
