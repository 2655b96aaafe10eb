/** A dialog of a page. `beforeunload` asks for confirmation before the page is left. */
export interface PageDialog {
  type: 'alert' | 'confirm' | 'prompt' | 'beforeunload';
  /** The page's own text, at most 4096 characters. Empty for `beforeunload`. */
  message: string;
  /** Initial text in the field of a `prompt`. Otherwise empty. */
  defaultPrompt: string;
  /** Address of the page or frame that opened the dialog. */
  url: string;
}

/** A dialog and the tab that shows it. */
export interface TabDialog extends PageDialog {
  tabId: number;
}

/** The answer to a dialog. */
export interface DialogAnswer {
  /** True for OK, or to leave the page. False for Cancel, or to stay. */
  accept: boolean;
  /** Text for an accepted `prompt`, at most 4096 characters. */
  text?: string;
}
