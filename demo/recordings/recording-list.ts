import { html, nothing, render, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { find } from '../dom.js';
import type { Recording } from '../../src/api/index.js';
import { lengthText, recordingState, sizeText, startText } from './recording-words.js';

/** Actions of the list's buttons. */
export interface RecordingActions {
  watch: (recording: Recording) => void;
  download: (recording: Recording) => void;
  remove: (recording: Recording) => void;
}

/** List of recordings. A phone shows each as a card with labelled values. */
export class RecordingList {
  readonly #place = find('.recordings-list');

  constructor(private readonly actions: RecordingActions) {}

  show(recordings: readonly Recording[]): void {
    const rows = repeat(
      recordings,
      ({ id }) => id,
      (recording) => this.#row(recording),
    );
    const list = html`<ul class="recording-rows" aria-labelledby="recordings-heading">
      ${rows}
    </ul>`;
    render(recordings.length > 0 ? list : nothing, this.#place);
  }

  #row(recording: Recording): TemplateResult {
    const { id, state, start_date: start, seconds, bytes, tag, session_id: session } = recording;
    const { word, mood } = recordingState(recording);
    const date = startText(start);
    const isDone = state === 'ready' || state === 'failed';
    const readable = state === 'recording' || state === 'ready';
    const { watch, download, remove } = this.actions;
    return html`<li class="recording-row" data-recording=${id}>
      <p class="recording-start"><time datetime=${start}>${date}</time></p>
      <p class="recording-state" data-mood=${mood}><span class="state">${word}</span></p>
      <dl class="recording-facts">
        ${fact('Length', lengthText(seconds))} ${fact('Size', sizeText(bytes))}
        ${tag === null ? nothing : fact('Tag', tag)}
        ${recording.tenant_id === null ? nothing : fact('Tenant', recording.tenant_id)}
        ${fact('Session', session)}
        ${recording.users.length > 0 ? fact('Users', usersText(recording)) : nothing}
      </dl>
      <div class="recording-tools" role="group" aria-label="Recording of ${date}">
        ${
          readable
            ? html`<button
                class="button small"
                type="button"
                data-do="watch"
                @click=${() => watch(recording)}
              >
                Watch
              </button>`
            : nothing
        }
        ${
          state === 'ready'
            ? html`<button
                class="button small"
                type="button"
                data-do="download"
                @click=${() => download(recording)}
              >
                Download
              </button>`
            : nothing
        }
        ${
          isDone
            ? html`<button
                class="button small danger"
                type="button"
                data-do="delete"
                @click=${() => remove(recording)}
              >
                Delete
              </button>`
            : nothing
        }
      </div>
    </li>`;
  }
}

/** Users that fit in a row. */
const SHOWN_USERS = 3;

function usersText({ users }: Recording): string {
  const more = users.length - SHOWN_USERS;
  const shown = users.slice(0, SHOWN_USERS).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

function fact(name: string, value: string): TemplateResult {
  return html`<div class="recording-fact">
    <dt>${name}</dt>
    <dd title=${value}>${value}</dd>
  </div>`;
}
