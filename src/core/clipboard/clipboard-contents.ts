import { fromUtf8, utf8, type ClipboardData, type ClipboardType } from '../../protocol/index.js';
import type { ClipboardContent } from './clipboard-content.js';
import { ClipboardTransfers, type ClipboardUpload } from './clipboard-transfers.js';
import type { Timers } from '../timers.js';

/**
 * Time for which a repeated paste reuses an upload, in milliseconds. It is shorter than the time for which
 * the session keeps an upload.
 */
const KEPT_MS = 5_000;

/**
 * Converts content to and from the bytes of one client's clipboard transfers. A page loads this module when a
 * session supports transfers, see `ClipboardChannel`.
 */
export class ClipboardContents {
  readonly transfers: ClipboardTransfers;
  /**
   * The newest upload, if it contains no picture. It is reused when a held key pastes the same content
   * repeatedly.
   */
  #last: { content: ClipboardContent; upload: ClipboardUpload; until: number } | undefined;

  constructor(private readonly timers: Timers) {
    this.transfers = new ClipboardTransfers(timers);
  }

  /**
   * Uploads as {@link ClipboardTransfers.upload} does. Returns the previous upload instead if the session
   * still has it and the content is equal. Content with a picture is always uploaded.
   */
  upload(content: ClipboardContent): ClipboardUpload {
    const now = this.timers.now();
    const { text, html, png } = content;
    const last = this.#last;
    const again =
      last && png === undefined && now < last.until && this.transfers.isLast(last.upload.transfer);
    if (again && last.content.text === text && last.content.html === html) {
      last.until = now + KEPT_MS;
      return last.upload;
    }
    const upload = this.transfers.upload(dataOf(content));
    this.#last = png === undefined ? { content, upload, until: now + KEPT_MS } : undefined;
    return upload;
  }

  /** Downloads as {@link ClipboardTransfers.download} does. */
  async download(transfer: number): Promise<ClipboardContent> {
    return contentOf(await this.transfers.download(transfer));
  }
}

function dataOf({ text, html, png }: ClipboardContent): ClipboardData {
  const data = new Map<ClipboardType, Uint8Array>();
  if (text !== undefined) data.set('text/plain', utf8(text));
  if (html !== undefined) data.set('text/html', utf8(html));
  if (png !== undefined) data.set('image/png', png);
  return data;
}

function contentOf(data: ClipboardData): ClipboardContent {
  const [text, html, png] = [data.get('text/plain'), data.get('text/html'), data.get('image/png')];
  return {
    ...(text && { text: fromUtf8(text) }),
    ...(html && { html: fromUtf8(html) }),
    ...(png && { png: png.slice() }),
  };
}
