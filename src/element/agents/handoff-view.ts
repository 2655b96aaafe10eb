import { css, html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { Handoff, HandoffAnswer } from '../../protocol/index.js';
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
                <p dir="auto">${handoff.instructions}</p>`
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
    <summary part="handoff-add-note">${words.say('handoff.note')}</summary>
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
  return words.say('handoff.title').replace('{name}', () => name || words.say('handoff.agent'));
}

const FOLD_ICON = html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="m3 6 5 5 5-5" /></svg>`;

export const handoffStyles = css`
  .handoff {
    pointer-events: auto;
  }

  .handoff.pill {
    position: relative;
    flex-wrap: wrap;
    gap: 8px 16px;
    padding: 10px 16px;
    padding-inline-end: 52px;
  }

  .handoff.folded {
    padding: 0;
  }

  /* Screen readers can still read the text of a folded bar. */
  .folded .request {
    position: absolute;
    width: 1px;
    height: 1px;
    padding: 0;
    overflow: hidden;
    clip-path: inset(50%);
  }

  .fold {
    position: absolute;
    inset-block-start: 4px;
    inset-inline-end: 4px;
    padding: 14px;
    border-radius: 14px;
    background: none;
    color: inherit;
  }

  .folded .fold {
    display: flex;
    position: static;
    align-items: center;
    gap: 8px;
    min-width: 0;
    padding: 8px 14px;
    border-radius: 18px;
  }

  .fold span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .fold svg {
    display: block;
    flex: none;
    width: 16px;
    height: 16px;
    fill: none;
    stroke: currentcolor;
    stroke-width: 1.8;
    stroke-linecap: round;
    stroke-linejoin: round;
  }

  .folded .fold svg {
    rotate: 180deg;
  }

  .request {
    flex: 1 1 220px;
    max-width: 60ch;
    max-height: 30vh;
    max-height: 40cqh;
    overflow: auto;
    overflow-wrap: anywhere;
  }

  .request p {
    margin: 0;
    white-space: pre-line;
  }

  .answers {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }

  .answers[hidden] {
    display: none;
  }

  /* In a narrow bar the answers have a row of their own, which needs no space for the button that folds. */
  @container (width < 480px) {
    .handoff.pill:not(.folded) {
      padding-inline-end: 16px;
    }

    .request {
      flex-basis: 100%;
      padding-inline-end: 32px;
    }
  }

  .answers button {
    padding: 6px 14px;
  }

  .note {
    align-self: center;
  }

  .note[open],
  .answers:has([open]) {
    flex-basis: 100%;
  }

  .note summary {
    padding: 6px;
    border-radius: 6px;
    cursor: pointer;
    text-decoration: underline;
    list-style: none;
  }

  .note summary::-webkit-details-marker {
    display: none;
  }

  .note summary:focus-visible,
  .note textarea:focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 1px;
  }

  .note textarea {
    width: 100%;
    min-width: 180px;
    padding: 8px 10px;
    border: 1px solid color-mix(in srgb, currentcolor 40%, transparent);
    border-radius: 8px;
    box-sizing: border-box;
    background: rgb(0 0 0 / 0.3);
    color: inherit;
    /* Phones zoom into fields with smaller text. */
    font:
      16px/1.4 system-ui,
      sans-serif;
    resize: none;
  }

  /* Touch screens need larger targets. */
  @media (any-pointer: coarse) {
    .note summary {
      padding: 12px 6px;
    }
  }

  @media (forced-colors: active) {
    .note textarea {
      background: Field;
      color: FieldText;
    }
  }
`;
