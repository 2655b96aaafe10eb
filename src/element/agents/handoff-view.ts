import { css, html, nothing, type TemplateResult } from 'lit';
import type { Handoff, HandoffAnswer } from '../../protocol/index.js';
import type { Words } from '../lang/texts.js';

/** Answers a request of an agent for a person. */
export type AnswerHandoff = (handoff: Handoff, answer: HandoffAnswer, press: MouseEvent) => void;

/**
 * Renders the oldest open request of an agent for a person. The text is in a live region that always exists,
 * so that screen readers read it when it appears. The buttons are outside of it.
 */
export function handoffView(
  [handoff]: readonly Handoff[],
  words: Words,
  answer: AnswerHandoff,
): TemplateResult {
  const button = (kind: HandoffAnswer) =>
    html`<button
      part="handoff-${kind}"
      class=${kind === 'done' ? '' : 'quiet'}
      type="button"
      @click=${(press: MouseEvent) => handoff && answer(handoff, kind, press)}
    >
      ${words.say(`handoff.${kind}`)}
    </button>`;
  return html`<slot name="handoff"
    ><div class="handoff ${handoff ? 'pill' : ''}" part="handoff">
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
          ? html`<div class="answers" role="group" aria-label=${titleOf(handoff, words)}>
              ${button('done')} ${button('refused')}
            </div>`
          : nothing
      }
    </div></slot
  >`;
}

function titleOf({ name }: Handoff, words: Words): string {
  return words.say('handoff.title').replace('{name}', () => name || words.say('handoff.agent'));
}

export const handoffStyles = css`
  .handoff {
    pointer-events: auto;
  }

  .handoff.pill {
    flex-wrap: wrap;
    gap: 8px 16px;
    padding: 10px 16px;
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

  .answers button {
    padding: 6px 14px;
  }
`;
