import { FileTransferError } from '../errors.js';
import type { LocalFile, UploadOptions } from './file-sender.js';
import { type Remote, RemoteMethods } from '../calls/remote.js';
import { RemoteListeners } from '../calls/remote-listeners.js';
import type { ConnectionState } from '../connection/connection-states.js';
import type { Timers } from '../timers.js';

export type { LocalFile, UploadOptions } from './file-sender.js';

/**
 * Uploads to pages and downloads from pages. Uploads need the role `file_upload`. Downloads need the role
 * `file_download`. Admins need no role. Methods reject as `remote.call` does.
 */
export class Files extends RemoteMethods {
  /** A page requests files from this user. Answer with {@link upload} or {@link cancel}. */
  readonly onChooser = new RemoteListeners(this.remote, 'files.onChooser');
  /** The page no longer waits for files. */
  readonly onChooserClosed = new RemoteListeners(this.remote, 'files.onChooserClosed');
  /** A download has started, progressed, or ended. */
  readonly onDownload = new RemoteListeners(this.remote, 'files.onDownload');
  /** A download was removed. */
  readonly onRemoved = new RemoteListeners(this.remote, 'files.onRemoved');

  /** Returns all downloads, the oldest first. */
  readonly list = this.method('files.list');
  /** Reports to a page that no file was chosen, or cancels an upload or a running download. */
  readonly cancel = this.method('files.cancel');
  /** Removes a download and its file. */
  readonly remove = this.method('files.remove');
  readonly #address: (ticket: string) => string;
  readonly #timers: Timers;
  readonly #state: () => ConnectionState;

  /** @internal */
  constructor(remote: Remote, embedUrl: string, timers: Timers, state: () => ConnectionState) {
    super(remote);
    this.#address = (ticket) => {
      const url = new URL(embedUrl);
      url.protocol = url.protocol.replace(/^ws/, 'http');
      url.search = url.hash = '';
      url.pathname = `${url.pathname.replace(/\/$/, '')}/files/${ticket}`;
      return url.href;
    };
    this.#timers = timers;
    this.#state = state;
  }

  /**
   * Uploads files to the page that requested them (`chooser`), or drops them on the page at a position of the
   * remote screen. `File`s of a folder keep their `webkitRelativePath`. Resolves when the page has the files.
   * While the client reconnects, waits. Rejects also with `FileTransferError` if the bytes do not arrive, or
   * if the code for uploads does not load. After an abort, rejects with the signal's reason.
   */
  async upload(
    target: { chooser: string } | { x: number; y: number },
    files: readonly LocalFile[],
    options: UploadOptions = {},
  ): Promise<void> {
    const [timers, address, state] = [this.#timers, this.#address, this.#state];
    const { uploadFiles } = await import('./file-upload.js').catch(() => {
      throw new FileTransferError('The code for uploads could not be loaded. Try again, or reload the page.');
    });
    await uploadFiles({ remote: this.remote, timers, address, state }, target, files, options);
  }

  /** Returns the URL of a finished download, for a link or `fetch`. The URL is valid for one minute. */
  async url(download: string): Promise<string> {
    return this.#address(await this.remote.call('files.ticket', [download]));
  }
}
