import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { ShownDialog } from '../../protocol/index.js';
import { DIALOG_TEXTS } from '../lang/words/dialogs-in-english.js';
import { shownText } from '../lang/shown-text.js';
import type { Words } from '../lang/texts.js';

/** Maximum length of the answer to a prompt. The session refuses longer ones. */
const MAX_ANSWER_CHARS = 4_096;

/** State and actions of a dialog of a page. */
export interface DialogContent {
  dialog: ShownDialog;
  /** Text in the field of a prompt. */
  text: string;
  words: Words;
  /** Language of the texts, if it is not the one that the page sets. */
  lang: string | undefined;
  /** Answers the dialog: OK or Cancel. */
  answer: (accept: boolean) => void;
  /** Called with the text in the field when the user has changed it. */
  typed: (text: string) => void;
  /** Called with each key that the user presses or releases while the dialog has the focus. */
  key: (event: KeyboardEvent) => void;
  /** Called when the user presses the pointer beside the dialog. */
  pressedBeside: (press: Event) => void;
}

/** Renders a dialog of a page over the picture. */
export function dialogView(content: DialogContent): TemplateResult {
  const { dialog, words, lang } = content;
  const { id, type, message } = dialog;
  const say = (key: keyof typeof DIALOG_TEXTS): string => words.told(key, DIALOG_TEXTS[key]);
  const leaving = type === 'beforeunload';
  const said = leaving ? say('dialog.unsaved') : shownText(message);
  const button = (key: keyof typeof DIALOG_TEXTS, accept: boolean): TemplateResult =>
    html`<button class=${accept ? 'accept' : 'quiet'} type="button" @click=${() => content.answer(accept)}>
      ${say(key)}
    </button>`;
  return html`<div
    class="layer asking"
    lang=${lang ?? nothing}
    @mousedown=${content.pressedBeside}
    @keydown=${content.key}
    @keyup=${content.key}
  >
    ${keyed(
      id,
      html`<div
        class="dialog"
        part="dialog"
        role="alertdialog"
        aria-labelledby="dialog-title"
        aria-describedby="dialog-message"
      >
        <p class="title" id="dialog-title" dir="auto">${titleOf(dialog, say)}</p>
        <p class="message" id="dialog-message" dir="auto">${said}</p>
        ${type === 'prompt' ? fieldView(content) : nothing}
        <div class="choices">
          ${type === 'alert' ? nothing : button(leaving ? 'dialog.stay' : 'dialog.cancel', false)}
          ${button(leaving ? 'dialog.leave' : 'dialog.ok', true)}
        </div>
      </div>`,
    )}
  </div>`;
}

function fieldView({ text, typed }: DialogContent): TemplateResult {
  return html`<input
    type="text"
    dir="auto"
    autocomplete="off"
    enterkeyhint="done"
    maxlength=${MAX_ANSWER_CHARS}
    aria-labelledby="dialog-title dialog-message"
    .value=${text}
    @input=${({ target }: Event) => target instanceof HTMLInputElement && typed(target.value)}
  />`;
}

function titleOf(
  { type, site }: ShownDialog,
  say: (key: 'dialog.leaving' | 'dialog.site' | 'dialog.page') => string,
): string {
  if (type === 'beforeunload') return say('dialog.leaving');
  return site ? say('dialog.site').replace('{site}', () => site) : say('dialog.page');
}
