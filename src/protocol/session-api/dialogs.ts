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

/** The dialog that the page in front has open. */
export interface ShownDialog extends Omit<PageDialog, 'url'> {
  /** Number for `answerDialog`. Each dialog of the session has another one. */
  id: number;
  /**
   * Host name, and port if there is one, of the page or frame that opened the dialog. Empty if its address is
   * neither `http:` nor `https:`.
   */
  site: string;
}

/**
 * Host to viewer: the dialog of the page in front, or null if it has none. Only for users who may have
 * control. Sent on each change. Also sent to each new viewer if a dialog is open.
 */
export interface DialogNotice {
  type: 'dialog';
  dialog: ShownDialog | null;
}

/** The answer to a dialog. */
export interface DialogAnswer {
  /** True for OK, or to leave the page. False for Cancel, or to stay. */
  accept: boolean;
  /** Text for an accepted `prompt`, at most 4096 characters. */
  text?: string;
}
