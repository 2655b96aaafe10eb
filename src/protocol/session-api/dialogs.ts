/** What a page asks people, by `alert`, `confirm`, `prompt`, or `beforeunload` when it is to be left. */
export interface PageDialog {
  type: 'alert' | 'confirm' | 'prompt' | 'beforeunload';
  /** The page's own words, at most 4096 characters; empty for `beforeunload`. */
  message: string;
  /** What stands in the field of a `prompt` at first; otherwise empty. */
  defaultPrompt: string;
  /** Address of the page or frame that asks. */
  url: string;
}

/** A dialog and the tab that has it open. */
export interface TabDialog extends PageDialog {
  tabId: number;
}

/** How a dialog is answered. */
export interface DialogAnswer {
  /** OK, or to leave the page; false: Cancel, or to stay. */
  accept: boolean;
  /** For a `prompt` that is accepted: what is entered; at most 4096 characters. */
  text?: string;
}
