import { render } from 'lit';
import { CallError, FileTransferError, type CloudBrowserClient, type LocalFile } from '../../core/index.js';
import type { Download, FileChooser } from '../../protocol/index.js';
import { UploadEvent, type UploadProgress } from './file-events.js';
import type { Words } from '../lang/texts.js';
import { fileStyles } from './file-styles.js';
import { fileView } from './file-view.js';
import { FileWords } from './file-words.js';
import { openLocalChooser } from './local-files.js';

/** Milliseconds for which a successful upload stays in the list. */
const DONE_MS = 6_000;

/**
 * File list of one element. Opens local file choosers, uploads the chosen files and offers downloads. Loaded
 * on first use.
 */
export class FileTransfers {
  readonly #choosers = new Map<string, { chooser: FileChooser; close?: () => void }>();
  /** Requests of pages whose files are being sent. */
  readonly #answered = new Map<string, FileChooser>();
  readonly #uploads = new Map<number, { upload: UploadProgress; abort: AbortController; shown: boolean }>();
  readonly #downloads = new Map<string, Download>();
  readonly #saved = new Set<string>();
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  #last = 0;
  /**
   * Pages can start downloads at any time. So the list is folded to a small button, and does not cover the
   * picture, until the user or a request for files opens it.
   */
  #form: 'open' | 'folded' | 'hidden' = 'folded';
  #spoken = '';
  readonly #words: FileWords;

  /** @param container place of the list in a shadow tree */
  constructor(
    private readonly client: CloudBrowserClient,
    private readonly container: HTMLElement,
    private readonly dispatch: (event: Event) => boolean,
    words: Words,
  ) {
    this.#words = new FileWords(words);
    container.role = 'region';
    // Keys on the list's buttons must not reach the remote browser, even if the element captures the keys of
    // the whole page.
    container.addEventListener('keydown', (event) => event.stopPropagation());
    const root = container.getRootNode();
    const { styleSheet } = fileStyles;
    if (root instanceof ShadowRoot && styleSheet && !root.adoptedStyleSheets.includes(styleSheet))
      root.adoptedStyleSheets.push(styleSheet);
  }

  /**
   * Handles a page's request for files. Opens the local file chooser if the browser allows it, and shows a
   * button.
   */
  ask(chooser: FileChooser): void {
    this.#choosers.set(chooser.id, { chooser });
    this.#appear(true);
    this.#news(this.#words.asked(chooser));
    // Without `navigator.userActivation` it is unknown if the browser allows the chooser. Then this code
    // tries to open it.
    if (isUserActive()) this.#choose(chooser);
    else {
      // The list shows the requests first, each with one such button.
      const row = [...this.#choosers.keys()].indexOf(chooser.id);
      this.container.querySelectorAll<HTMLElement>('.main')[row]?.focus();
    }
  }

  /** Removes a file request of a page, because the user answered it or the page no longer waits for it. */
  closed(id: string): void {
    this.#answered.delete(id);
    this.#choosers.get(id)?.close?.();
    if (this.#choosers.delete(id)) this.show();
  }

  /** Uploads dropped files to the position of the drop, in pixels of the remote screen. */
  drop(files: readonly LocalFile[], x: number, y: number): void {
    this.#send({ x, y }, files);
  }

  /** Shows a failed upload for dropped files and folders that cannot be read. */
  unreadable(names: readonly string[]): void {
    const message = this.#words.failure(new FileTransferError(`Unreadable: ${names.join(', ')}`), 'upload');
    this.#progress(this.#begin(names, 0).id, { state: 'failed', message });
  }

  /**
   * Shows a download that started, progressed or finished. A new one opens the list if the user has just
   * acted, because then the user has probably caused it.
   *
   * @param isNews false for a download that may have started long ago
   */
  download(download: Download, isNews: boolean): void {
    const { id, name, state } = download;
    const known = this.#downloads.get(id);
    this.#downloads.set(id, download);
    const open = isNews && !known && isUserActive();
    if (!known) this.#appear(open);
    if (known?.state === state) return this.show();
    this.#news(`${name}: ${this.#words.outcome(download)}`, open);
  }

  removed(id: string): void {
    if (this.#downloads.delete(id)) this.show();
  }

  /** Removes all downloads, because this user may not fetch them. */
  removeDownloads(): void {
    this.#downloads.clear();
    this.show();
  }

  /** Cancels running transfers and clears the list. */
  close(): void {
    for (const { close } of this.#choosers.values()) close?.();
    for (const { abort } of this.#uploads.values()) abort.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#choosers.clear();
    this.#answered.clear();
    this.#uploads.clear();
    this.#downloads.clear();
    this.show();
  }

  #choose(chooser: FileChooser): void {
    const open = this.#choosers.get(chooser.id);
    if (!open) return;
    open.close?.();
    open.close = openLocalChooser(chooser, this.container.parentElement ?? this.container, (files) => {
      if (files.length === 0) return this.#cancel(chooser);
      this.closed(chooser.id);
      this.#answered.set(chooser.id, chooser);
      this.#send({ chooser: chooser.id }, files);
    });
  }

  #cancel({ id }: FileChooser): void {
    // The page's request may have ended already. Then the error does not matter.
    this.client.files.cancel(id).catch(() => undefined);
    this.closed(id);
  }

  /**
   * Shows a page's request again after its upload has failed. If the session refused the files, the page
   * still waits. Otherwise the session reports that the request has ended.
   */
  #askAgain(chooser: FileChooser, error: unknown): void {
    this.#answered.delete(chooser.id);
    const gone = error instanceof CallError && error.code === 'err_chooser_gone';
    if (!gone) this.#choosers.set(chooser.id, { chooser });
  }

  #send(target: { chooser: string } | { x: number; y: number }, files: readonly LocalFile[]): void {
    const size = files.reduce((sum, file) => sum + file.size, 0);
    const { id, abort } = this.#begin(
      files.map((file) => file.name),
      size,
    );
    this.#progress(id, {});
    const onProgress = (sent: number): void => this.#progress(id, { sent });
    this.client.files.upload(target, files, { onProgress, signal: abort.signal }).then(
      () => {
        if ('chooser' in target) this.#answered.delete(target.chooser);
        this.#progress(id, { state: 'done', sent: size });
        this.#later(() => this.#forget(id));
      },
      (error: unknown) => {
        const chooser = 'chooser' in target ? this.#answered.get(target.chooser) : undefined;
        if (abort.signal.aborted) {
          this.#forget(id);
          if (chooser) this.#cancel(chooser);
          return;
        }
        if (chooser) this.#askAgain(chooser, error);
        this.#progress(id, {
          state: 'failed',
          message: this.#words.failure(error, 'upload'),
        });
      },
    );
  }

  #begin(names: readonly string[], size: number): { id: number; abort: AbortController } {
    const id = ++this.#last;
    const [first = ''] = names;
    const name = names.length === 1 ? first : this.#words.count(names.length);
    const abort = new AbortController();
    this.#uploads.set(id, { upload: { id, name, sent: 0, size, state: 'running' }, abort, shown: false });
    return { id, abort };
  }

  #progress(id: number, change: Partial<UploadProgress>): void {
    const open = this.#uploads.get(id);
    if (!open) return;
    open.upload = { ...open.upload, ...change };
    open.shown = this.dispatch(new UploadEvent(open.upload));
    const { name, state, message } = open.upload;
    if (!open.shown) return this.show();
    if (state === 'running') return this.#news(`${name}: ${this.#words.text('sending')}`);
    this.#news(`${name}: ${state === 'done' ? this.#words.text('sent') : (message ?? '')}`);
  }

  #forget(id: number): void {
    this.#uploads.delete(id);
    this.show();
  }

  #later(run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, DONE_MS);
    this.#timers.add(timer);
  }

  async #save({ id, name }: Download): Promise<void> {
    const link = document.createElement('a');
    try {
      link.href = await this.client.files.url(id);
    } catch (error) {
      if (error instanceof CallError && error.code === 'err_download_gone') this.removed(id);
      else this.#news(`${name}: ${this.#words.failure(error)}`);
      return;
    }
    link.download = name;
    link.click();
    this.#saved.add(id);
    this.#news(`${name}: ${this.#words.text('saved')}`);
  }

  #news(spoken: string, open = true): void {
    if (spoken !== this.#spoken) this.#appear(open);
    this.#spoken = spoken;
    this.show();
  }

  /** Opens the list. With `open` false, a hidden list gets its button, and another one stays as it is. */
  #appear(open: boolean): void {
    if (open) this.#form = 'open';
    else if (this.#form === 'hidden') this.#form = 'folded';
  }

  /** Renders the list. */
  show(): void {
    const { files } = this.client;
    this.container.ariaLabel = this.#words.text('title');
    const all = {
      choosers: [...this.#choosers.values()].map(({ chooser }) => chooser),
      uploads: [...this.#uploads.values()].filter((open) => open.shown).map(({ upload }) => upload),
      downloads: [...this.#downloads.values()],
    };
    const count = all.choosers.length + all.uploads.length + all.downloads.length;
    if (count === 0) this.#form = 'folded';
    const view = fileView({
      ...all,
      waiting: this.client.state !== 'playing',
      count: this.#form === 'hidden' ? 0 : count,
      folded: this.#form === 'folded',
      saved: this.#saved,
      spoken: this.#spoken,
      words: this.#words,
      choose: (chooser) => this.#choose(chooser),
      cancelChooser: (chooser) => this.#cancel(chooser),
      cancelUpload: ({ id }) => {
        this.#uploads.get(id)?.abort.abort();
        this.#forget(id);
      },
      save: (download) => void this.#save(download),
      cancelDownload: ({ id }) => void files.cancel(id).catch(() => undefined),
      remove: ({ id }) => void files.remove(id).catch(() => this.removed(id)),
      hide: () => {
        this.#form = 'hidden';
        this.show();
      },
      unfold: ({ detail }) => {
        this.#form = 'open';
        this.show();
        // After a key, the focus would be lost together with the button.
        if (detail === 0) this.container.querySelector<HTMLElement>('.hide')?.focus();
      },
    });
    render(view, this.container);
  }
}

/** True if the user has just acted on the page, or if the browser does not tell. */
function isUserActive(): boolean {
  return !('userActivation' in navigator) || navigator.userActivation.isActive;
}
