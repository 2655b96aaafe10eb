import type { FileTarget, OfferedFile } from '../protocol/index.js';
import { FileSender, type LocalFile, type StopSignal } from './file-sender.js';
import { type Remote, RemoteMethods } from './remote.js';
import { RemoteListeners } from './remote-listeners.js';
import type { Timers } from './timers.js';

export type { LocalFile } from './file-sender.js';

/** How an upload is watched and ended. */
export interface UploadOptions {
  /** Told how many bytes of how many the session has. */
  onProgress?: (sent: number, total: number) => void;
  /** Gives the upload up; `upload` rejects then. */
  signal?: StopSignal;
}

/** Files that are sent at once. */
const LANES = 3;
/** Characters of one offer; a message to the session may have 65536. */
const MAX_OFFER_CHARS = 40_000;

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
  readonly #sender: FileSender;

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
    this.#sender = new FileSender(timers);
  }

  /**
   * Gives files to a page: to the one that asked for them (`chooser`), or to the one at a place of the remote screen, as if they were
   * dropped there. `File`s of a folder keep their `webkitRelativePath`. Resolves when the page has them. Besides, rejects with
   * `FileTransferError` when the bytes do not arrive, and with the reason of the signal.
   */
  async upload(
    target: { chooser: string } | { x: number; y: number },
    files: readonly LocalFile[],
    { onProgress, signal }: UploadOptions = {},
  ): Promise<void> {
    const total = files.reduce((sum, { size }) => sum + size, 0);
    const { id, tickets } = await this.#offer(target, files);
    let [sent, next] = [0, 0];
    const lane = async (): Promise<void> => {
      for (let index = next++; index < files.length; index = next++) {
        const [file, ticket] = [files[index], tickets[index]];
        if (!file || ticket === undefined) return;
        await this.#sender.send(this.#address(ticket), file, signal, (bytes) =>
          onProgress?.((sent += bytes), total),
        );
      }
    };
    try {
      await Promise.all(Array.from({ length: LANES }, lane));
      signal?.throwIfAborted();
      await this.remote.call('files.finish', [id]);
    } catch (error) {
      next = files.length;
      this.cancel(id).catch(() => undefined);
      throw error;
    }
  }

  /** Where a download that is done can be fetched within a minute, by a link or by `fetch`. */
  async url(download: string): Promise<string> {
    return this.#address(await this.remote.call('files.ticket', [download]));
  }

  async #offer(target: FileTarget, files: readonly LocalFile[]): Promise<{ id: string; tickets: string[] }> {
    let [id, chars] = ['', 0];
    let part: OfferedFile[] = [];
    const tickets: string[] = [];
    const send = async (): Promise<void> => {
      const upload = await this.remote.call('files.offer', [id ? { upload: id } : target, part]);
      id = upload.id;
      tickets.push(...upload.tickets);
      [part, chars] = [[], 0];
    };
    try {
      for (const file of files) {
        const offered = offerOf(file);
        chars += JSON.stringify(offered).length;
        if (chars > MAX_OFFER_CHARS && part.length > 0) await send();
        part.push(offered);
      }
      await send();
    } catch (error) {
      if (id) this.cancel(id).catch(() => undefined);
      throw error;
    }
    return { id, tickets };
  }
}

function offerOf({ name, size, lastModified, webkitRelativePath = '' }: LocalFile): OfferedFile {
  const folder = webkitRelativePath.split('/').slice(0, -1).join('/');
  return { name, size, ...(folder && { folder }), ...(lastModified !== undefined && { lastModified }) };
}
