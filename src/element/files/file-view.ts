import { html, nothing, type TemplateResult } from 'lit';
import type { Download, FileChooser } from '../../protocol/index.js';
import type { UploadProgress } from '../file-events.js';
import { FILE_WORDS as WORDS, sizeText } from './file-words.js';

/** What the list shows, and what its buttons do. */
export interface FileList {
  choosers: readonly FileChooser[];
  uploads: readonly UploadProgress[];
  downloads: readonly Download[];
  /** Downloads that were saved here. */
  saved: ReadonlySet<string>;
  /** Said to those who do not see the list. */
  spoken: string;
  choose(chooser: FileChooser): void;
  cancelChooser(chooser: FileChooser): void;
  cancelUpload(upload: UploadProgress): void;
  save(download: Download): void;
  cancelDownload(download: Download): void;
  remove(download: Download): void;
  hide: () => void;
}

/** The list of files; nothing when it would be empty. */
export function fileView(list: FileList): TemplateResult | typeof nothing {
  const { choosers, uploads, downloads } = list;
  if (choosers.length + uploads.length + downloads.length === 0) return nothing;
  return html`
    <div class="head">
      <h2>${WORDS.title}</h2>
      <button class="hide" type="button" aria-label=${WORDS.hide} title=${WORDS.hide} @click=${list.hide}>
        ×
      </button>
    </div>
    <ul>
      ${choosers.map((chooser) => chooserRow(chooser, list))}
      ${uploads.map((upload) => uploadRow(upload, list))}
      ${[...downloads].reverse().map((download) => downloadRow(download, list))}
    </ul>
    <div class="spoken" role="status">${list.spoken}</div>
  `;
}

function chooserRow(chooser: FileChooser, list: FileList): TemplateResult {
  const { multiple, directory } = chooser;
  const asked = directory ? WORDS.askedFolder : multiple ? WORDS.askedMany : WORDS.asked;
  const choose = directory ? WORDS.chooseFolder : multiple ? WORDS.chooseMany : WORDS.choose;
  return html`<li>
    <div>${asked}</div>
    <div class="actions">
      ${button(choose, '', () => list.choose(chooser), true)}
      ${button(WORDS.cancel, asked, () => list.cancelChooser(chooser))}
    </div>
  </li>`;
}

function uploadRow(upload: UploadProgress, list: FileList): TemplateResult {
  const { name, sent, size, state, message } = upload;
  const detail = {
    running: `${WORDS.sending} · ${sizeText(sent)} / ${sizeText(size)}`,
    done: `${WORDS.sent} · ${sizeText(size)}`,
    failed: message ?? '',
  }[state];
  return html`<li>
    <div class="name" title=${name}>${name}</div>
    ${state === 'running' ? bar(name, sent, size) : nothing}
    <div class="detail">${detail}</div>
    ${
      state === 'done'
        ? nothing
        : html`<div class="actions">
            ${button(state === 'running' ? WORDS.cancel : WORDS.remove, name, () => list.cancelUpload(upload))}
          </div>`
    }
  </li>`;
}

function downloadRow(download: Download, list: FileList): TemplateResult {
  const { id, name, size, received, state } = download;
  const saved = list.saved.has(id);
  return html`<li>
    <div class="name" title=${name}>${name}</div>
    ${state === 'running' ? bar(name, received, size) : nothing}
    <div class="detail">${detailOf(download, saved)}</div>
    <div class="actions">
      ${
        state === 'done'
          ? button(saved ? WORDS.saveAgain : WORDS.save, name, () => list.save(download), !saved)
          : nothing
      }
      ${
        state === 'running'
          ? button(WORDS.cancel, name, () => list.cancelDownload(download))
          : button(WORDS.remove, name, () => list.remove(download))
      }
    </div>
  </li>`;
}

function detailOf({ state, kind, size, received, failure }: Download, saved: boolean): string {
  switch (state) {
    case 'running': {
      const what = kind === 'print' ? WORDS.printing : WORDS.coming;
      return `${what} · ${sizeText(received)}${size === null ? '' : ` / ${sizeText(size)}`}`;
    }
    case 'done':
      return `${saved ? WORDS.saved : WORDS.ready} · ${sizeText(size ?? received)}`;
    case 'cancelled':
      return WORDS.cancelled;
    case 'failed':
      return failure ? WORDS.failures[failure] : '';
  }
}

/** Without a size it only moves. */
function bar(name: string, value: number, size: number | null): TemplateResult {
  return size === null || size === 0
    ? html`<progress aria-label=${name}></progress>`
    : html`<progress aria-label=${name} value=${value} max=${size}></progress>`;
}

/** @param of what it is about, for those who do not see the row */
function button(word: string, of: string, onClick: () => void, main = false): TemplateResult {
  const label = of ? `${word}: ${of}` : word;
  return html`<button class=${main ? 'main' : ''} type="button" aria-label=${label} @click=${onClick}>
    ${word}
  </button>`;
}
