import { FileTransferError } from './errors.js';
import type { LocalFile, UploadOptions } from './file-sender.js';
import { type Remote, RemoteMethods } from './remote.js';
import { RemoteListeners } from './remote-listeners.js';
import type { Timers } from './timers.js';

export type { LocalFile, UploadOptions } from './file-sender.js';

/**
 * What pages are given, and give out. Uploads need the role `file_upload`, downloads `file_download`, or the admin token. Methods
 * reject as `remote.call` does.
 */
export class Files extends RemoteMethods {
  /** A page asks this user for files: answer with {@link upload} or {@link cancel}. */
  readonly onChooser = new RemoteListeners(this.remote, 'files.onChooser');
  /** The page does not wait for files any more. */
  readonly onChooserClosed = new RemoteListeners(this.remote, 'files.onChooserClosed');
  /** A download has begun, goes on, or is over. */
  readonly onDownload = new RemoteListeners(this.remote, 'files.onDownload');
  /** A download was removed. */
  readonly onRemoved = new RemoteListeners(this.remote, 'files.onRemoved');

  /** All downloads, the oldest first. */
  readonly list = this.method('files.list');
  /** Tells a page that no file was chosen; or gives a download up that runs. */
  readonly cancel = this.method('files.cancel');
  /** Forgets a download and removes its file. */
  readonly remove = this.method('files.remove');
  readonly #address: (ticket: string) => string;
  readonly #timers: Timers;

  /** @internal */
  constructor(remote: Remote, embedUrl: string, timers: Timers) {
    super(remote);
    this.#address = (ticket) => {
      const url = new URL(embedUrl);
      url.protocol = url.protocol.replace(/^ws/, 'http');
      url.search = url.hash = '';
      url.pathname = `${url.pathname.replace(/\/$/, '')}/files/${ticket}`;
      return url.href;
    };
    this.#timers = timers;
  }

  /**
   * Gives files to a page: to the one that asked for them (`chooser`), or to the one at a place of the remote screen, as if they were
   * dropped there. `File`s of a folder keep their `webkitRelativePath`. Resolves when the page has them. Besides, rejects with
   * `FileTransferError` when the bytes do not arrive, and with the reason of the signal.
   */
  async upload(
    target: { chooser: string } | { x: number; y: number },
    files: readonly LocalFile[],
    options: UploadOptions = {},
  ): Promise<void> {
    const parts = { remote: this.remote, timers: this.#timers, address: this.#address };
    const { uploadFiles } = await import('./file-upload.js').catch(() => {
      throw new FileTransferError('What sends files could not be loaded. Try again, or load the page again.');
    });
    await uploadFiles(parts, target, files, options);
  }

  /** Where a download that is done can be fetched within a minute, by a link or by `fetch`. */
  async url(download: string): Promise<string> {
    return this.#address(await this.remote.call('files.ticket', [download]));
  }
}
