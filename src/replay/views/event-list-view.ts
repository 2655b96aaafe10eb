import { html, nothing, type TemplateResult } from 'lit';
import { weightOf, type ReplayEvent } from '../replay-events.js';
import type { ReplayWords } from '../replay-words.js';
import { clockText } from './time-text.js';

/** Maximum number of events in the list. */
const MAX_ROWS = 1_000;

/** State of the events. They are loaded after the recording. */
export type EventsState = 'loading' | 'loaded' | 'failed';

/** Text of a list without events. */
const NOTES = {
  loading: 'replay.loading',
  loaded: 'replay.noEvents',
  failed: 'replay.eventsFailed',
} as const;

/** Content of the list of events. */
export interface EventList {
  readonly events: readonly ReplayEvent[];
  readonly state: EventsState;
  /** The newest event at or before the playback position. */
  readonly current: ReplayEvent | undefined;
  /** True if events of the recording have several users. Then each row shows the user of its event. */
  readonly manyUsers: boolean;
  readonly words: ReplayWords;
  readonly seek: (time: number) => void;
}

/** Renders the events as a list of buttons. Each button moves the playback to the time of its event. */
export function eventListView(list: EventList): TemplateResult {
  const { events, state, current, manyUsers, words, seek } = list;
  const count = new Intl.NumberFormat(words.lang).format(MAX_ROWS);
  return html`<section class="events" part="events" aria-label=${words.say('replay.events')}>
    ${events.length === 0 ? html`<p class="note">${words.say(NOTES[state])}</p>` : nothing}
    <ol @keydown=${onKey}>
      ${events.slice(0, MAX_ROWS).map(
        (event) =>
          html`<li>
            <button
              type="button"
              class=${weightOf(event.type)}
              aria-current=${event === current ? 'true' : nothing}
              @click=${() => seek(event.time)}
            >
              <time>${clockText(event.time)}</time>
              <span class="what">${words.eventName(event)}</span>
              <span class="detail" dir="auto">${words.eventDetail(event)}</span>
              ${
                manyUsers && words.userName(event)
                  ? html`<span class="user" dir="auto">${words.userName(event)}</span>`
                  : nothing
              }
            </button>
          </li>`,
      )}
    </ol>
    ${events.length > MAX_ROWS ? html`<p class="note">${words.say('replay.moreEvents', { count })}</p>` : nothing}
  </section>`;
}

/**
 * Scrolls the list to the current event. Does nothing while the user points at the list or has the focus in
 * it.
 */
export function scrollToCurrent(root: ParentNode): void {
  const list = root.querySelector<HTMLElement>('.events');
  const row = list?.querySelector<HTMLElement>('[aria-current]');
  if (!list || !row || list.matches(':hover, :focus-within')) return;
  const [outside, inside] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
  if (inside.top >= outside.top && inside.bottom <= outside.bottom) return;
  list.scrollTop += inside.top - outside.top - list.clientHeight / 3;
}

/** Moves the focus between the rows with the arrow keys up and down. */
function onKey(event: KeyboardEvent): void {
  const steps = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const row = event.target instanceof HTMLElement ? event.target.closest('li') : null;
  if (steps === undefined || !row) return;
  event.preventDefault();
  const next = steps > 0 ? row.nextElementSibling : row.previousElementSibling;
  next?.querySelector('button')?.focus();
}
