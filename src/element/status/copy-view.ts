import { css, html, nothing, type TemplateResult } from 'lit';
import type { CopyState } from '../../viewer/index.js';
import { copyText } from './copy-text.js';
import type { Words } from '../lang/texts.js';

/** Actions of the buttons. */
export interface CopyActions {
  copyNow(): void;
  dismiss(): void;
}

/** Renders the result of a copy or a paste: it needs another click, succeeded or failed. */
export function copyView(
  state: CopyState | undefined,
  words: Words,
  actions: CopyActions,
): TemplateResult | typeof nothing {
  if (!state?.message) return nothing;
  const waiting = state.state === 'waiting';
  return html`<slot name="copy"
    ><div
      class="pill"
      part="copy"
      dir="auto"
      @keydown=${({ key }: KeyboardEvent) => key === 'Escape' && actions.dismiss()}
    >
      <span>${copyText(state, words)}</span>
      ${
        waiting
          ? html`<button part="copy-button" type="button" @click=${() => actions.copyNow()}>
              ${words.say('copy')}
            </button>`
          : nothing
      }
      ${
        state.state === 'copied'
          ? nothing
          : html`<button
              part="dismiss-button"
              class="dismiss"
              type="button"
              aria-label=${words.say('dismiss')}
              @click=${() => actions.dismiss()}
            >
              ✕
            </button>`
      }
    </div></slot
  >`;
}

export const copyStyles = css`
  .copy {
    display: flex;
    max-width: 100%;
  }

  .copy .pill {
    flex-wrap: wrap;
    justify-content: center;
    gap: 4px 12px;
    pointer-events: auto;
  }

  .copy span {
    flex: 1 1 180px;
  }

  .copy button {
    margin: 0;
    padding: 5px 12px;
    font-size: 13px;
  }

  .copy .dismiss {
    padding: 5px 8px;
    background: none;
    color: inherit;
  }
`;
