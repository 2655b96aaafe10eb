/** Modes of a phone's keyboard, with the names of HTML's `inputmode`. */
export const INPUT_MODES = ['none', 'text', 'decimal', 'numeric', 'tel', 'search', 'email', 'url'] as const;
/** One of {@link INPUT_MODES}. */
export type InputMode = (typeof INPUT_MODES)[number];

/** Labels of a phone's Enter key, with the names of HTML's `enterkeyhint`. */
export const ENTER_KEY_HINTS = ['enter', 'done', 'go', 'next', 'previous', 'search', 'send'] as const;
/** One of {@link ENTER_KEY_HINTS}. */
export type EnterKeyHint = (typeof ENTER_KEY_HINTS)[number];

/** Automatic capitals of a phone's keyboard, with the names of HTML's `autocapitalize`. */
export const CAPITALS = ['none', 'sentences', 'words', 'characters'] as const;
/** One of {@link CAPITALS}. */
export type Capitals = (typeof CAPITALS)[number];

/** Left, top, width and height on the remote screen, in its pixels. */
export type ScreenRectangle = readonly [left: number, top: number, width: number, height: number];

/** The focused text field of the remote screen, without its content. */
export interface RemoteField {
  /** Changes if another field gets the focus, or if the same field gets it again. */
  id: number;
  /**
   * `page`: in a page or one of its frames. `browser`: in the browser's own interface, such as its address
   * bar.
   */
  place: 'page' | 'browser';
  /** `none`: the page has its own keyboard for the field. */
  inputMode: InputMode;
  enterKeyHint: EnterKeyHint;
  capitals: Capitals;
  /**
   * The expected content, with the names of HTML's `autocomplete`, such as `one-time-code`. Empty if it is
   * unknown.
   */
  autocomplete: string;
  password: boolean;
  /** True if the field accepts more than one line. */
  multiline: boolean;
  /** Null if the position is unknown. */
  rectangle: ScreenRectangle | null;
  /** The insertion point for text. Its width is 0 and its height is one line. Null if it is unknown. */
  caret: ScreenRectangle | null;
}

/** Host to viewer: the focused text field of the remote screen. Sent only to viewers that requested it. */
export interface RemoteFocus {
  type: 'focus';
  /** Null if no text field has the focus, or if the host does not accept this viewer's input. */
  field: RemoteField | null;
}
