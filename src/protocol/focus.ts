/** Ways of a phone's keyboard, as HTML's `inputmode` names them. */
export const INPUT_MODES = ['none', 'text', 'decimal', 'numeric', 'tel', 'search', 'email', 'url'] as const;
/** One of {@link INPUT_MODES}. */
export type InputMode = (typeof INPUT_MODES)[number];

/** What a phone's Enter key may say, as HTML's `enterkeyhint` names it. */
export const ENTER_KEY_HINTS = ['enter', 'done', 'go', 'next', 'previous', 'search', 'send'] as const;
/** One of {@link ENTER_KEY_HINTS}. */
export type EnterKeyHint = (typeof ENTER_KEY_HINTS)[number];

/** What a phone's keyboard writes in capitals by itself, as HTML's `autocapitalize` names it. */
export const CAPITALS = ['none', 'sentences', 'words', 'characters'] as const;
/** One of {@link CAPITALS}. */
export type Capitals = (typeof CAPITALS)[number];

/** Left, top, width and height on the remote screen, in its pixels. */
export type ScreenRectangle = readonly [left: number, top: number, width: number, height: number];

/** Something on the remote screen that takes text and has the keyboard. What is in it is never told. */
export interface RemoteField {
  /** Another number when another field has the keyboard, or the same one again. */
  id: number;
  /** In a page or a frame of it, or in the browser's own interface, such as its address bar. */
  place: 'page' | 'browser';
  /** `none`: the page has a keyboard of its own for it. */
  inputMode: InputMode;
  enterKeyHint: EnterKeyHint;
  capitals: Capitals;
  /** What it is filled in with, as HTML's `autocomplete` names it, such as `one-time-code`; empty: nothing that is known. */
  autocomplete: string;
  password: boolean;
  /** Takes more than one line. */
  multiline: boolean;
  /** Null: nobody can tell where it is. */
  rectangle: ScreenRectangle | null;
  /** Where text would come; of no width, as high as a line. Null: nobody can tell. */
  caret: ScreenRectangle | null;
}

/** What has the keyboard on the remote screen; told only to viewers who asked for it, while their input counts. */
export interface RemoteFocus {
  type: 'focus';
  /** Null: nothing that takes text. */
  field: RemoteField | null;
}
