import { html, nothing, type TemplateResult } from 'lit';
import type { ConnectionState } from '../core/index.js';
import { endingOf, type NextStep } from './ending.js';
import type { Words } from './lang/texts.js';

/** What the layer over the picture shows. */
export interface Status {
  state: ConnectionState;
  /** Another user has the browser to themselves. */
  shutOut: boolean;
  /** What has just happened. */
  notice: string | undefined;
  /** The machine has no network. */
  offline: boolean;
  /** Why a connection is over. */
  failure: Error | undefined;
  words: Words;
  /** One of the ending's steps was chosen. */
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

/** The classes of the layer: how much of the picture it covers. */
export function statusClasses({ state, shutOut, notice }: Status): string {
  if (shutOut) return 'covering opaque';
  return state === 'playing' && notice ? 'light' : CLASSES[state];
}

/** The words on the layer, each state in a slot of its own; while playing only what has just happened. */
export function statusView(status: Status): TemplateResult | typeof nothing {
  const { state, shutOut, notice, offline, words } = status;
  switch (state) {
    case 'idle':
      return nothing;
    case 'playing':
      if (shutOut) return privateView(words);
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

function privateView(words: Words): TemplateResult {
  return html`<slot name="private">
    <div class="panel" part="panel">
      <p class="title" dir="auto">${words.say('private.title')}</p>
      <p class="detail" dir="auto">${words.say('private.detail')}</p>
    </div>
  </slot>`;
}
