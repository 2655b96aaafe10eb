import type { CloudBrowserClient } from '../../core/index.js';
import type { Download, FileChooser } from '../../protocol/index.js';
import type { Viewer } from '../../viewer/index.js';
import { DownloadEvent, FileChooserEvent, FileDropEvent } from './file-events.js';
import type { Words } from '../lang/texts.js';
import type { FileTransfers } from './file-transfers.js';

// The element loads this module for each session, so the module also provides the error messages.
export { ERROR_TEXTS } from '../lang/errors-in-english.js';

/** The part of the element that the link needs. */
export interface FileLinkHost {
  /** Container of the file list. Undefined before the element is rendered. */
  fileList(): HTMLElement | undefined;
  /** Current viewer of the element. Users drop files onto its picture. */
  viewer(): Viewer | undefined;
  /** Returns false if a listener prevented the default action. */
  dispatch(event: Event): boolean;
  /** Reports an error to the page, and also to the user if a part could not be loaded. */
  report(error: Error): void;
  readonly words: Words;
}

/** Connects the files of a client to an element. Loads the file list when there is something to show. */
export class FileLink {
  #desk: Promise<FileTransfers | undefined> | undefined;
  #closed = false;

  constructor(
    private readonly client: CloudBrowserClient,
    private readonly host: FileLinkHost,
  ) {
    const { onChooser, onChooserClosed, onDownload, onRemoved } = client.files;
    const quietly = (subscribed: Promise<void>): void => void subscribed.catch(() => undefined);
    quietly(onChooser.addListener(this.#asked));
    quietly(onChooserClosed.addListener(this.#answered));
    quietly(onDownload.addListener(this.#download));
    quietly(onRemoved.addListener(this.#removed));
    client.on('disconnect', this.#disconnected).on('welcome', this.#list);
    if (client.welcome) this.#list();
  }

  /** Allows dropping while files are dragged over the picture. */
  readonly dragged = (event: DragEvent): void => {
    if (!this.#takes(event) || !event.dataTransfer) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
  };

  /** Handles files that are dropped on the picture. */
  readonly dropped = (event: DragEvent): void => {
    const { dataTransfer, clientX, clientY } = event;
    const viewer = this.host.viewer();
    if (!this.#takes(event) || !dataTransfer || !viewer) return;
    event.preventDefault();
    const at = viewer.toRemote(clientX, clientY);
    if (!at) return;
    const { x, y } = at;
    const items = [...dataTransfer.items].map((item) => item.webkitGetAsEntry());
    const plain = [...dataTransfer.files];
    void import('./local-files.js')
      .then(({ droppedFiles }) => droppedFiles(items, plain))
      .then(({ files, unreadable }) => {
        if (files.length > 0 && !this.host.dispatch(new FileDropEvent(files, x, y))) return;
        if (unreadable.length > 0) this.#do((desk) => desk.unreadable(unreadable));
        if (files.length > 0) this.#do((desk) => desk.drop(files, x, y));
      })
      .catch(() => undefined);
  };

  /** Renders the list again, because its texts may have changed. */
  show(): void {
    this.#notify((desk) => desk.show());
  }

  /** Cancels running transfers, and removes the listeners on the client. */
  close(): void {
    this.#closed = true;
    const { onChooser, onChooserClosed, onDownload, onRemoved } = this.client.files;
    onChooser.removeListener(this.#asked);
    onChooserClosed.removeListener(this.#answered);
    onDownload.removeListener(this.#download);
    onRemoved.removeListener(this.#removed);
    this.client.off('disconnect', this.#disconnected).off('welcome', this.#list);
    this.#notify((desk) => desk.close());
  }

  #takes({ dataTransfer, defaultPrevented }: DragEvent): boolean {
    const files = dataTransfer?.types.includes('Files') === true;
    return files && !defaultPrevented && this.host.viewer()?.viewOnly === false;
  }

  readonly #asked = (chooser: FileChooser): void => {
    if (this.host.dispatch(new FileChooserEvent(chooser))) this.#do((desk) => desk.ask(chooser));
  };

  readonly #answered = (id: string): void => this.#notify((desk) => desk.closed(id));

  readonly #download = (download: Download): void => {
    if (this.host.dispatch(new DownloadEvent(download))) this.#do((desk) => desk.download(download));
  };

  readonly #removed = (id: string): void => this.#notify((desk) => desk.removed(id));

  readonly #disconnected = (): void => this.#notify((desk) => desk.close());

  readonly #list = (): void => {
    // The call fails for users without the role `file_download`. Their list shows no downloads.
    this.client.files.list().then(
      (all) => all.forEach(this.#download),
      () => undefined,
    );
  };

  /** Runs an action of the list. Loads the list first if needed. */
  #do(act: (desk: FileTransfers) => void): void {
    // After a failed load, the next action tries again.
    this.#desk ??= this.#open().catch(() => (this.#desk = undefined));
    this.#notify(act);
  }

  #notify(act: (desk: FileTransfers) => void): void {
    void this.#desk?.then((desk) => desk && act(desk));
  }

  async #open(): Promise<FileTransfers | undefined> {
    const { FileTransfers: FileTransfers } = await import('./file-transfers.js');
    const container = this.host.fileList();
    if (this.#closed || !container) return undefined;
    return new FileTransfers(this.client, container, (event) => this.host.dispatch(event), this.host.words);
  }
}
