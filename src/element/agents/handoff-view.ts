import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { Handoff, HandoffAnswer } from '../../protocol/index.js';
import { shownText } from '../lang/shown-text.js';
import type { Words } from '../lang/texts.js';

/**
 * Sends the user's answer to a handoff: a request in which an agent asks for the help of a person. `note` is
 * a text for the agent, which may be empty.
 */
export type AnswerHandoff = (
  handoff: Handoff,
  answer: HandoffAnswer,
  press: MouseEvent,
  note: string,
) => void;

/** State of the bar that the user can fold to a small button. */
export interface HandoffFold {
  /** Id of the handoff whose bar is folded. Undefined if none is. */
  folded: string | undefined;
  /** Folds or unfolds the bar of a handoff. */
  toggle: (id: string) => void;
}

/** Largest number of characters of a note. The session refuses longer ones. */
const MAX_NOTE_CHARS = 2_000;

/**
 * Renders the oldest open handoff. The text is in a live region that is always rendered, so that screen
 * readers read the text when it appears. The buttons are outside of the live region. On a small picture the
 * bar may cover the place where the agent needs help, so the user can fold it.
 */
export function handoffView(
  [handoff]: readonly Handoff[],
  words: Words,
  answer: AnswerHandoff,
  fold: HandoffFold,
): TemplateResult {
  const folded = handoff !== undefined && handoff.id === fold.folded;
  const button = (kind: HandoffAnswer) =>
    html`<button
      part="handoff-${kind}"
      class=${kind === 'done' ? '' : 'quiet'}
      type="button"
      @click=${(press: MouseEvent) => handoff && answer(handoff, kind, press, noteBeside(press))}
    >
      ${words.say(`handoff.${kind}`)}
    </button>`;
  return html`<slot name="handoff"
    ><div class="handoff ${handoff ? 'pill' : ''} ${folded ? 'folded' : ''}" part="handoff">
      <div class="request" role="status">
        ${
          handoff
            ? html`<strong dir="auto">${titleOf(handoff, words)}</strong>
                <p dir="auto">${shownText(handoff.instructions)}</p>`
            : nothing
        }
      </div>
      ${
        handoff
          ? html`<div class="answers" role="group" aria-label=${titleOf(handoff, words)} ?hidden=${folded}>
                ${button('done')} ${button('refused')} ${keyed(handoff.id, noteView(words))}
              </div>
              <button
                class="fold"
                type="button"
                aria-expanded=${!folded}
                aria-label=${titleOf(handoff, words)}
                @mousedown=${keepFocus}
                @click=${() => fold.toggle(handoff.id)}
              >
                ${folded ? html`<span dir="auto">${titleOf(handoff, words)}</span>` : nothing}${FOLD_ICON}
              </button>`
          : nothing
      }
    </div></slot
  >`;
}

/**
 * Renders a field for a note to the agent. The field is hidden until the user opens it. Each handoff has a
 * new, empty field.
 */
function noteView(words: Words): TemplateResult {
  return html`<details class="note">
    <summary part="handoff-add-note" @click=${openNote}>${words.say('handoff.note')}</summary>
    <textarea
      part="handoff-note"
      rows="2"
      dir="auto"
      maxlength=${MAX_NOTE_CHARS}
      aria-label=${words.say('handoff.note')}
      @keydown=${keep}
      @keyup=${keep}
    ></textarea>
  </details>`;
}

/**
 * Opens or closes the field of a note. Focuses the opened field, so that the user can type at once. The
 * browser itself opens the field only after this handler, but a phone opens its keyboard only for a focus in
 * the handler.
 */
function openNote(press: MouseEvent): void {
  const note = press.currentTarget instanceof Element ? press.currentTarget.closest('details') : undefined;
  if (!note) return;
  press.preventDefault();
  note.open = !note.open;
  // Does not scroll, so that the buttons of the answers stay visible in a small picture.
  if (note.open) note.querySelector('textarea')?.focus({ preventScroll: true });
}

/**
 * Keeps a key from the page. The page sees the element as the target of the key, not the field. So it would
 * not know that the user is typing, and would run its own shortcuts.
 */
function keep(event: KeyboardEvent): void {
  event.stopPropagation();
}

/** Keeps the focus where it is, because the user folds the bar to go on in the remote browser. */
function keepFocus(press: MouseEvent): void {
  press.preventDefault();
}

/** Returns the text of the note beside a pressed button. Empty if there is no note. */
function noteBeside({ currentTarget }: MouseEvent): string {
  const button = currentTarget instanceof Element ? currentTarget : undefined;
  return button?.parentElement?.querySelector('textarea')?.value.trim() ?? '';
}

function titleOf({ name }: Handoff, words: Words): string {
  return words.say('handoff.title').replace('{name}', () => shownText(name) || words.say('handoff.agent'));
}

const FOLD_ICON = html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="m3 6 5 5 5-5" /></svg>`;
