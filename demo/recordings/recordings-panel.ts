import type { Recording } from '../../src/api/index.js';
import { ApiKey } from '../api-key.js';
import { ApiError } from '../api.js';
import { find, findA, onAction } from '../dom.js';
import { sentence } from '../session/session-keeper.js';
import { RecordingList } from './recording-list.js';
import type { ReplayDialog } from './replay-dialog.js';
import { deleteRecording, listRecordings, onThisOrigin, replayToken } from './recording-requests.js';
import { countText, filtersOf, startText } from './recording-words.js';

/** Recordings of the service: searches, shows, downloads and deletes them, with the visitor's API key. */
export class RecordingsPanel {
  readonly #key = new ApiKey();
  readonly #content = find('.recordings-content');
  readonly #form = findA(HTMLFormElement, '.recordings-form');
  readonly #status = find('.recordings-status');
  readonly #more = find("[data-action='more-recordings']");
  readonly #deletion = findA(HTMLDialogElement, '.delete-dialog');
  readonly #list = new RecordingList({
    watch: (recording) => void this.#attempt(() => this.#watch(recording)),
    download: (recording) => void this.#attempt(() => this.#download(recording)),
    remove: (recording) => this.#askToDelete(recording),
  });
  #filters: Readonly<Record<string, string>> = {};
  #shown: readonly Recording[] = [];
  #next: string | null = null;
  /** The newest request for the list. Answers to earlier ones are ignored. */
  #question: object | undefined;
  #doomed: Recording | undefined;
  #dialog: ReplayDialog | undefined;

  constructor() {
    onAction('show-recordings', (button) => void this.#open(button));
    onAction('more-recordings', () => void this.#attempt(() => this.#load(this.#next ?? undefined)));
    onAction('keep-recording', () => this.#deletion.close());
    onAction('delete-recording', () => {
      this.#deletion.close();
      void this.#attempt(() => this.#delete());
    });
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#attempt(() => this.#search());
    });
  }

  async #open(button: HTMLButtonElement): Promise<void> {
    const opens = this.#content.hidden;
    if (opens && (await this.#key.get().catch(() => null)) === null) return;
    this.#content.hidden = !opens;
    button.textContent = opens ? 'Hide' : 'Show';
    button.setAttribute('aria-expanded', String(opens));
    if (opens) await this.#attempt(() => this.#search());
  }

  async #search(): Promise<void> {
    this.#filters = filtersOf(new FormData(this.#form));
    await this.#load(undefined);
  }

  /** @param after position in the list. Undefined: the start */
  async #load(after: string | undefined): Promise<void> {
    const question = (this.#question = {});
    const { results, next } = await listRecordings(await this.#ownKey(), this.#filters, after);
    if (this.#question !== question) return;
    this.#next = next;
    this.#show(after === undefined ? results : [...this.#shown, ...results]);
  }

  #show(recordings: readonly Recording[]): void {
    this.#shown = recordings;
    this.#list.show(recordings);
    this.#more.hidden = this.#next === null;
    this.#status.textContent = countText(recordings.length, this.#next !== null);
  }

  async #watch({ id, start_date: start }: Recording): Promise<void> {
    const { url } = await replayToken(await this.#ownKey(), id);
    // Pages that watch nothing do not load the element.
    const { ReplayDialog } = await import('./replay-dialog.js');
    this.#dialog ??= new ReplayDialog();
    this.#dialog.show(onThisOrigin(url), `Recording of ${startText(start)}`);
  }

  async #download({ id, start_date: start }: Recording): Promise<void> {
    const { video_url: address } = await replayToken(await this.#ownKey(), id);
    const link = document.createElement('a');
    link.href = onThisOrigin(address);
    link.download = `recording-${start.slice(0, 19).replaceAll(':', '-')}.mp4`;
    link.click();
  }

  #askToDelete(recording: Recording): void {
    this.#doomed = recording;
    find('.delete-text').textContent =
      `The recording of ${startText(recording.start_date)} cannot be restored, and its links end.`;
    this.#deletion.showModal();
  }

  async #delete(): Promise<void> {
    const { id } = this.#doomed ?? {};
    if (id === undefined) return;
    const place = this.#shown.findIndex((recording) => recording.id === id);
    await deleteRecording(await this.#ownKey(), id);
    this.#show(this.#shown.filter((recording) => recording.id !== id));
    // The button of the deleted row had the focus.
    const rows = document.querySelectorAll<HTMLElement>('.recording-row');
    const next = rows[Math.min(place, rows.length - 1)]?.querySelector('button');
    (next ?? findA(HTMLButtonElement, "[data-action='show-recordings']")).focus();
  }

  #ownKey(): Promise<string> {
    return this.#key.require('recordings');
  }

  /** Shows the error of an action. */
  async #attempt(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) this.#key.forget();
      this.#status.textContent = sentence(error);
    }
  }
}
