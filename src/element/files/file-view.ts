import { html, nothing, type TemplateResult } from 'lit';
import type { Download, FileChooser } from '../../protocol/index.js';
import type { UploadProgress } from './file-events.js';
import { sizeText } from '../lang/numbers.js';
import type { FileWords } from './file-words.js';

/** Content of the file list and actions of its buttons. */
export interface FileList {
  choosers: readonly FileChooser[];
  uploads: readonly UploadProgress[];
  downloads: readonly Download[];
  /** True while the client connects again. Uploads then wait. */
  waiting: boolean;
  /** Number of rows of a visible list. 0 hides the list. */
  count: number;
  /** True if only a button with the number of rows is shown. */
  folded: boolean;
  /** Ids of the downloads that the user saved on this machine. */
  saved: ReadonlySet<string>;
  /** Latest message for screen readers. */
  spoken: string;
  words: FileWords;
  choose(chooser: FileChooser): void;
  cancelChooser(chooser: FileChooser): void;
  cancelUpload(upload: UploadProgress): void;
  save(download: Download): void;
  cancelDownload(download: Download): void;
  remove(download: Download): void;
  hide: () => void;
  unfold: (press: MouseEvent) => void;
}

/** Renders the file list, or the button that opens it. Renders nothing if the list is empty or hidden. */
export function fileView(list: FileList): TemplateResult | typeof nothing {
  if (list.count === 0) return nothing;
  return html`${list.folded ? unfoldButton(list) : rowsView(list)}
    <div class="spoken" role="status">${list.spoken}</div>`;
}

function unfoldButton({ count, words, unfold }: FileList): TemplateResult {
  return html`<button
    class="unfold"
    type="button"
    aria-expanded="false"
    @mousedown=${keepFocus}
    @click=${unfold}
  >
    ${words.count(count)}<svg viewBox="0 0 16 16" aria-hidden="true"><path d="m3 10 5-5 5 5" /></svg>
  </button>`;
}

/** Keeps the focus of a user who presses the button with a pointer, because the button then disappears. */
function keepFocus(press: MouseEvent): void {
  press.preventDefault();
}

function rowsView(list: FileList): TemplateResult {
  const { choosers, uploads, downloads, words } = list;
  return html`
    <div class="head">
      <h2>${words.text('title')}</h2>
      <button
        class="hide"
        type="button"
        aria-label=${words.text('hide')}
        title=${words.text('hide')}
        @click=${list.hide}
      >
        ×
      </button>
    </div>
    <ul>
      ${choosers.map((chooser) => chooserRow(chooser, list))}
      ${uploads.map((upload) => uploadRow(upload, list))}
      ${[...downloads].reverse().map((download) => downloadRow(download, list))}
    </ul>
  `;
}

function chooserRow(chooser: FileChooser, list: FileList): TemplateResult {
  const { multiple, directory } = chooser;
  const { words } = list;
  const asked = words.asked(chooser);
  const choose = words.text(directory ? 'chooseFolder' : multiple ? 'chooseMany' : 'choose');
  return html`<li>
    <div class="asked" dir="auto">${asked}</div>
    <div class="actions">
      ${button(choose, '', () => list.choose(chooser), true)}
      ${button(words.text('cancel'), asked, () => list.cancelChooser(chooser))}
    </div>
  </li>`;
}

function uploadRow(upload: UploadProgress, list: FileList): TemplateResult {
  const { name, sent, size, state, message } = upload;
  const { words } = list;
  const detail = {
    running: amounts(words.text(list.waiting ? 'waiting' : 'sending'), words, sent, size),
    done: amounts(words.text('sent'), words, size),
    failed: html`${message ?? ''}`,
  }[state];
  return html`<li>
    <div class="name" dir="auto" title=${name}>${name}</div>
    ${state === 'running' ? bar(name, sent, size) : nothing}
    <div class="detail" dir="auto">${detail}</div>
    ${
      state === 'done'
        ? nothing
        : html`<div class="actions">
            ${button(words.text(state === 'running' ? 'cancel' : 'remove'), name, () => list.cancelUpload(upload))}
          </div>`
    }
  </li>`;
}

function downloadRow(download: Download, list: FileList): TemplateResult {
  const { id, name, size, received, state } = download;
  const saved = list.saved.has(id);
  const { words } = list;
  return html`<li>
    <div class="name" dir="auto" title=${name}>${name}</div>
    ${state === 'running' ? bar(name, received, size) : nothing}
    <div class="detail" dir="auto">${detailOf(download, saved, words)}</div>
    <div class="actions">
      ${
        state === 'done'
          ? button(words.text(saved ? 'saveAgain' : 'save'), name, () => list.save(download), !saved)
          : nothing
      }
      ${
        state === 'running'
          ? button(words.text('cancel'), name, () => list.cancelDownload(download))
          : button(words.text('remove'), name, () => list.remove(download))
      }
    </div>
  </li>`;
}

function detailOf(download: Download, saved: boolean, words: FileWords): TemplateResult {
  const { state, size, received } = download;
  const text = state === 'done' && saved ? words.text('saved') : words.outcome(download);
  if (state === 'running') return amounts(text, words, received, size);
  return state === 'done' ? amounts(text, words, size ?? received) : html`${text}`;
}

/**
 * Renders a text with an amount of bytes. The numbers are isolated, so that they keep their order next to
 * right-to-left text.
 */
function amounts(text: string, { lang }: FileWords, bytes: number, of: number | null = null): TemplateResult {
  return html`${text} · <bdi>${sizeText(bytes, lang)}${of === null ? '' : ` / ${sizeText(of, lang)}`}</bdi>`;
}

/** Renders a progress bar. It is indeterminate if the size is unknown or 0. */
function bar(name: string, value: number, size: number | null): TemplateResult {
  return size === null || size === 0
    ? html`<progress aria-label=${name}></progress>`
    : html`<progress aria-label=${name} value=${value} max=${size}></progress>`;
}

/** @param of name of the button's file or request, for screen readers */
function button(word: string, of: string, onClick: () => void, main = false): TemplateResult {
  const label = of ? `${word}: ${of}` : word;
  return html`<button class=${main ? 'main' : ''} type="button" aria-label=${label} @click=${onClick}>
    ${word}
  </button>`;
}
