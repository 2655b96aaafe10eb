import { html, nothing, type TemplateResult } from 'lit';
import type { ConnectionState, PrivacyInfo } from '../../core/index.js';
import { endingOf, type NextStep } from './ending.js';
import { timeOfDay } from '../lang/numbers.js';
import type { Words } from '../lang/texts.js';

/** Content of the layer over the picture. */
export interface Status {
  state: ConnectionState;
  /** True if another user is in privacy mode. */
  shutOut: boolean;
  /** User in privacy mode, with the start time. */
  privacy: PrivacyInfo | undefined;
  /** Message about a recent event. */
  notice: string | undefined;
  /** True if the machine is offline. */
  offline: boolean;
  /** Error that ended the connection. */
  failure: Error | undefined;
  words: Words;
  /** Called when the user chooses a next step after the connection has ended. */
  take: (step: NextStep) => void;
}

const CLASSES: Record<ConnectionState, string> = {
  idle: '',
  connecting: 'covering busy',
  playing: '',
  reconnecting: 'light',
  failed: 'covering',
  closed: 'covering',
};

/** Returns the CSS classes of the layer, which define how much of the picture it covers. */
export function statusClasses({ state, shutOut, notice }: Status): string {
  if (shutOut) return 'covering opaque';
  return state === 'playing' && notice ? 'light' : CLASSES[state];
}

/**
 * Renders the text on the layer. Each state except `idle` and `playing` has a slot. While playing, the layer
 * shows a message about a recent event, or covers the picture during another user's privacy mode.
 */
export function statusView(status: Status): TemplateResult | typeof nothing {
  const { state, shutOut, notice, offline, words } = status;
  switch (state) {
    case 'idle':
      return nothing;
    case 'playing':
      if (shutOut) return privateView(words, status.privacy);
      return notice ? html`<div class="pill" part="panel" dir="auto">${notice}</div>` : nothing;
    case 'connecting':
      return html`<slot name="connecting">
        <div class="panel" part="panel">
          <span class="spinner"></span>
          <p class="detail" dir="auto">${words.say(offline ? 'offline' : 'connecting')}</p>
        </div>
      </slot>`;
    case 'reconnecting':
      return html`<slot name="reconnecting">
        <div class="pill" part="panel" dir="auto">
          <span class="spinner"></span>${words.say(offline ? 'offline' : 'reconnecting')}
        </div>
      </slot>`;
    case 'failed':
      return html`<slot name="failed">${endingView(status)}</slot>`;
    case 'closed':
      return html`<slot name="ended">${endingView(status)}</slot>`;
  }
}

/** A generated user id. Its first part distinguishes the users of a session. */
const GENERATED_ID = /^([\da-f]{8})(-[\da-f]{4}){3}-[\da-f]{12}$/;

function endingView({ failure, words, take }: Status): TemplateResult {
  const { title, detail, steps } = endingOf(failure, words);
  const buttons = steps.map(
    (step, place) =>
      html`<button
        class=${place === 0 ? '' : 'quiet'}
        part=${step === 'connect' ? 'step retry' : 'step'}
        type="button"
        @click=${() => take(step)}
      >
        ${words.say(`step.${step}`)}
      </button>`,
  );
  return html`<div class="panel" part="panel">
    <p class="title" dir="auto">${title}</p>
    <p class="detail" dir="auto">${detail}</p>
    <div class="steps">${buttons}</div>
  </div>`;
}

function privateView(words: Words, privacy: PrivacyInfo | undefined): TemplateResult {
  const { since, userId = '' } = privacy ?? {};
  return html`<slot name="private">
    <div class="panel" part="panel">
      <p class="title" dir="auto">${words.say('private.title')}</p>
      <p class="detail" dir="auto">${words.say('private.detail')}</p>
      ${
        since
          ? html`<p class="detail" dir="auto">
              ${words.say('private.since').replace('{time}', timeOfDay(since, words.lang)).replace('{user}', userId.replace(GENERATED_ID, '$1'))}
            </p>`
          : nothing
      }
    </div>
  </slot>`;
}
