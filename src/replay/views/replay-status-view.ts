import { html, nothing, type TemplateResult } from 'lit';
import { icon } from './icons.js';
import type { ReplayFailure } from '../loading/recording-data.js';
import type { ReplayWords } from '../replay-words.js';

/** State of the element. `idle` means that it has no address. */
export type ReplayState = 'idle' | 'loading' | 'ready' | 'failed';

/** Content of the layer over the picture. */
export interface ReplayStatus {
  readonly state: ReplayState;
  readonly failure: ReplayFailure | undefined;
  /** True while the recording is not finished. */
  readonly live: boolean;
  /** True while the video waits for data. */
  readonly waiting: boolean;
  /** True to show a play symbol over the picture. */
  readonly offersPlay: boolean;
  /** Short message about a recent action. Undefined if there is none. */
  readonly notice: string | undefined;
  readonly words: ReplayWords;
  readonly reload: () => void;
}

/** Renders the text over the picture. */
export function replayStatusView(status: ReplayStatus): TemplateResult {
  return html`<div class="status" part="status">${messageView(status)}</div>
    <div class="corner">
      ${status.live && status.state === 'ready' ? liveView(status) : nothing}
      <div role="status">
        ${status.notice === undefined ? nothing : html`<span class="pill">${status.notice}</span>`}
      </div>
    </div>`;
}

function messageView(status: ReplayStatus): TemplateResult | typeof nothing {
  const { state, failure, waiting, words, reload, offersPlay } = status;
  if (state === 'loading')
    return html`<slot name="loading"
      ><div class="panel" role="status">
        <span class="spinner"></span>
        <p>${words.say('replay.loading')}</p>
      </div></slot
    >`;
  if (state === 'failed' && failure)
    return html`<slot name="failed"
      ><div class="panel" role="alert">
        <p class="title">${words.say(`replay.${failure}.title`)}</p>
        <p>${words.say(`replay.${failure}.detail`)}</p>
        <button type="button" part="retry" @click=${reload}>${words.say('replay.retry')}</button>
      </div></slot
    >`;
  if (state !== 'ready') return nothing;
  if (waiting) return html`<span class="spinner"></span>`;
  return offersPlay ? html`<span class="start">${icon('play')}</span>` : nothing;
}

function liveView({ words, reload }: ReplayStatus): TemplateResult {
  return html`<span class="pill live">
    <span class="dot"></span>${words.say('replay.live')}
    <button type="button" @click=${reload}>${words.say('replay.newer')}</button>
  </span>`;
}
