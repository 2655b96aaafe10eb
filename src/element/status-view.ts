import { html, nothing, type TemplateResult } from 'lit';
import type { ConnectionState } from '../core/index.js';
import type { ImageNotice } from '../viewer/index.js';

/** What the layer over the picture shows. */
export interface Status {
  state: ConnectionState;
  /** Another user has the browser to themselves. */
  shutOut: boolean;
  /** What happened to the remote browser. */
  notice: string | undefined;
  /** Title and sentence for a connection that is over. */
  end: { title: string; detail: string };
  /** The retry button was pressed. */
  retry: () => void;
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

/** The line that says why images are shown, while they are. */
export function noticeView(state: ConnectionState, notice?: ImageNotice): TemplateResult | typeof nothing {
  if (state !== 'playing' || !notice) return nothing;
  return html`<p class="notice" part="notice" role="note">${notice.message}</p>`;
}

/** The words on the layer, each state in a slot of its own; while playing only what happened to the browser. */
export function statusView({ state, shutOut, notice, end, retry }: Status): TemplateResult | typeof nothing {
  const words = html`<p class="title">${end.title}</p>
    <p class="detail">${end.detail}</p>`;
  switch (state) {
    case 'idle':
      return nothing;
    case 'playing':
      if (shutOut) return PRIVATE;
      return notice ? html`<div class="pill" part="panel">${notice}</div>` : nothing;
    case 'connecting':
      return html`<slot name="connecting">
        <div class="panel" part="panel">
          <span class="spinner"></span>
          <p class="detail">Connecting…</p>
        </div>
      </slot>`;
    case 'reconnecting':
      return html`<slot name="reconnecting">
        <div class="pill" part="panel"><span class="spinner"></span>Reconnecting…</div>
      </slot>`;
    case 'failed':
      return html`<slot name="failed">
        <div class="panel" part="panel">
          ${words}
          <button part="retry" type="button" @click=${retry}>Try again</button>
        </div>
      </slot>`;
    case 'closed':
      return html`<slot name="ended"><div class="panel" part="panel">${words}</div></slot>`;
  }
}

const PRIVATE = html`<slot name="private">
  <div class="panel" part="panel">
    <p class="title">Private for now</p>
    <p class="detail">Another user needs this browser alone. The picture comes back by itself.</p>
  </div>
</slot>`;
