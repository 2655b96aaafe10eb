import { Modifier } from '../../protocol/index.js';
import type { ClipboardInput } from '../clipboard/clipboard-input.js';
import { pastedContent } from '../clipboard/pasted-content.js';
import type { ReleaseControl } from '../release-control.js';
import type { TextField } from './text-field.js';
import { textPieces } from './text-pieces.js';

/** Keys for the edits that on-screen keyboards report instead of keys. */
const EDITS: Record<string, { key: string; modifiers: number }> = {
  insertLineBreak: { key: 'Enter', modifiers: 0 },
  insertParagraph: { key: 'Enter', modifiers: 0 },
  deleteContentBackward: { key: 'Backspace', modifiers: 0 },
  deleteContentForward: { key: 'Delete', modifiers: 0 },
  deleteWordBackward: { key: 'Backspace', modifiers: Modifier.control },
  deleteWordForward: { key: 'Delete', modifiers: Modifier.control },
  historyUndo: { key: 'z', modifiers: Modifier.control },
  historyRedo: { key: 'y', modifiers: Modifier.control },
};

/**
 * Handles text that does not come from keys: input methods, dead keys, emoji pickers, dictation, on-screen
 * keyboards. Sends the text or the key of each edit in the field, and keeps the field empty.
 */
export class TextInput {
  readonly #listening = new AbortController();
  #composing = false;
  /**
   * True for a moment after a composition committed its text, because some browsers report the text a second
   * time as an edit.
   */
  #committed = false;

  constructor(
    private readonly field: TextField,
    private readonly control: ReleaseControl,
    private readonly clipboard: ClipboardInput,
  ) {
    control.add(this);
    const { element } = field;
    const { signal } = this.#listening;
    element.addEventListener('compositionstart', () => (this.#composing = true), { signal });
    element.addEventListener('compositionupdate', (event) => this.#compose(event.data), { signal });
    element.addEventListener('compositionend', (event) => this.#commit(event.data), { signal });
    element.addEventListener('beforeinput', (event) => this.#edit(event), { signal });
    element.addEventListener('input', () => !this.#composing && field.clear(), { signal });
  }

  forget(): void {
    if (!this.#composing) return;
    this.#composing = false;
    // The remote text is committed now. An empty field makes the input method start with the next letter.
    this.field.clear();
  }

  close(): void {
    this.#listening.abort();
  }

  #compose(text: string): void {
    if (!this.#composing) return;
    // A composition must fit into one event, so only its beginning is sent. When it ends, the whole text is
    // sent.
    const [beginning = ''] = textPieces(text);
    this.control.send({ type: 'composition', text: beginning, modifiers: 0 });
  }

  #commit(text: string): void {
    if (!this.#composing) return;
    this.#composing = false;
    this.#committed = true;
    queueMicrotask(() => (this.#committed = false));
    if (text) this.control.sendText(text);
    else this.control.send({ type: 'composition', text: '', modifiers: 0 });
    this.field.clear();
  }

  #edit(event: InputEvent): void {
    if (this.#composing || event.inputType === 'insertCompositionText') return;
    event.preventDefault();
    if (this.#committed || event.inputType.endsWith('FromComposition')) return;
    // Some on-screen keyboards paste without a `paste` event.
    if (event.inputType === 'insertFromPaste') {
      const content = event.data ? { text: event.data } : pastedContent(event.dataTransfer);
      if (Object.keys(content).length > 0) this.clipboard.paste(content);
      return;
    }
    const edit = EDITS[event.inputType];
    const text = event.data ?? event.dataTransfer?.getData('text/plain');
    if (edit) this.control.tap({ code: '', ...edit });
    else if (text) this.control.sendText(text);
  }
}
