import {
  fromUtf8,
  utf8,
  type ClipboardData,
  type ClipboardType,
  type CopiedNotice,
} from '../protocol/index.js';
import type { ClipboardChannel } from './clipboard-channel.js';
import type { Upload } from './clipboard-transfers.js';
import type { Remote } from './remote.js';

/** What is on a clipboard, in one or more forms of the same thing. */
export interface ClipboardContent {
  /** 4 MiB at most, as UTF-8. */
  text?: string;
  /** 4 MiB at most, as UTF-8. As it was copied: clean it before it becomes a part of a page of yours. */
  html?: string;
  /** The bytes of a PNG file, 16 MiB at most. */
  png?: Uint8Array;
}

/** How long the session keeps what was sent, for another paste; less than it does. Milliseconds. */
const KEPT_MS = 5_000;

/** The clipboard of the remote browser. */
export class Clipboard {
  /** The newest upload: a held key pastes the same again and again. */
  #last: { content: ClipboardContent; upload: Upload; until: number } | undefined;

  /** @internal */
  constructor(
    private readonly remote: Remote,
    private readonly transfers: ClipboardChannel,
    private readonly now: () => number,
  ) {}

  /**
   * What was copied last; empty when nothing was. Needs the role `clipboard_copy` or the admin token. Rejects as `remote.call` does, with
   * `err_clipboard_too_large` for more than may be, with `err_clipboard_no_answer` when it does not come in time.
   */
  async read(): Promise<ClipboardContent> {
    const transfer = await this.remote.call('clipboard.fetch');
    return transfer === 0 ? {} : contentOf(await this.transfers.download(transfer));
  }

  /**
   * Puts something on the remote browser's clipboard, for everybody who pastes there. Needs control of the browser. Rejects as
   * `remote.call` does.
   */
  async write(content: ClipboardContent): Promise<void> {
    const upload = this.upload(content);
    await upload.sent;
    await this.remote.call('clipboard.write', [upload.transfer]);
  }

  /** Puts what was uploaded on the remote browser's clipboard until somebody else acts there: for this user's next paste. */
  bring(transfer: number): Promise<void> {
    return this.remote.call('clipboard.write', [transfer, true]);
  }

  /** Whether the session takes what {@link upload} sends. */
  get takesPaste(): boolean {
    return this.transfers.isOpen;
  }

  /** Sends something that a `paste` event will name. Throws `NotConnectedError`, and `CallError` for what is too large. */
  upload(content: ClipboardContent): Upload {
    const now = this.now();
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

  /**
   * Listens for what this user copies in the remote browser, by whatever key, menu or button, over reconnects too. Resolves, when the
   * session agrees, to what ends it.
   */
  async onCopied(listener: (copied: CopiedNotice) => void): Promise<() => void> {
    // A function of its own: somebody may listen twice and stop once.
    const told = (copied: CopiedNotice) => listener(copied);
    await this.remote.subscribe('clipboard.onCopied', told);
    return () => this.remote.unsubscribe('clipboard.onCopied', told);
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
