import type { Viewer } from './viewer.js';

/** The text field of a viewer's page that has the keyboard focus for the remote screen. */
export interface LocalField {
  focused: boolean;
  inputMode: string;
  enterKeyHint: string;
  autocomplete: string;
  type: string;
  /** In pixels of the viewer's window. */
  left: number;
  top: number;
  height: number;
}

/** Reads the local text field, and whether it has the focus. */
export async function localField(viewer: Viewer): Promise<LocalField> {
  return viewer.page.evaluate(() => {
    const field = document.querySelector('cloud-browser')?.shadowRoot?.activeElement;
    const none = { focused: false, inputMode: '', enterKeyHint: '', autocomplete: '', type: '' };
    if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement))
      return { ...none, left: 0, top: 0, height: 0 };
    const { inputMode, enterKeyHint, autocomplete, type } = field;
    const { left, top, height } = field.getBoundingClientRect();
    return { focused: true, inputMode, enterKeyHint, autocomplete, type, left, top, height };
  });
}
