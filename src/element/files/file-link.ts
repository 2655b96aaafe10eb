import { LatePart } from '../../core/late-part.js';
import { CallError, type CloudBrowserClient, type PrivacyInfo } from '../../core/index.js';
import type { Download, FileChooser, SessionUser } from '../../protocol/index.js';
import type { Viewer } from '../../viewer/index.js';
import { DownloadEvent, FileChooserEvent, FileDropEvent } from './file-events.js';
import type { Words } from '../lang/texts.js';
import type * as ListPart from './file-transfers.js';
import type { FileTransfers } from './file-transfers.js';
import type * as ReaderPart from './local-files.js';

// The element loads this module for each session, so the module also provides the error messages.
export { ERROR_TEXTS } from '../lang/words/errors-in-english.js';

/** Maximum number of actions that wait for the file list. Further actions are lost. */
const MAX_WAITING = 1_000;

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
  #part: LatePart<typeof ListPart> | undefined;
  #desk: FileTransfers | undefined;
  /** Actions that wait until the list is loaded. */
  #waiting: ((desk: FileTransfers) => void)[] = [];
  #readerPart: LatePart<typeof ReaderPart> | undefined;
  #reader: Promise<typeof ReaderPart> | undefined;
  #closed = false;
  /** True if the session refused the list of downloads to this user. */
  #refused = false;

  constructor(
    private readonly client: CloudBrowserClient,
    private readonly host: FileLinkHost,
    private readonly load = () => import('./file-transfers.js'),
    private readonly loadReader = () => import('./local-files.js'),
  ) {
    const { onChooser, onChooserClosed, onDownload, onRemoved } = client.files;
    const quietly = (subscribed: Promise<void>): void => void subscribed.catch(() => undefined);
    quietly(onChooser.addListener(this.#asked));
    quietly(onChooserClosed.addListener(this.#answered));
    quietly(onDownload.addListener(this.#download));
    quietly(onRemoved.addListener(this.#removed));
    quietly(client.remote.subscribe('users.onChanged', this.#changed));
    client
      .on('state', this.#stateChanged)
      .on('disconnect', this.#disconnected)
      .on('welcome', this.#list)
      .on('privacy', this.#privacy);
    if (client.welcome) this.#list();
  }

  /** Allows dropping while files, text or a link are dragged over the picture. */
  readonly dragged = (event: DragEvent): void => {
    if (!this.#takes(event) || !event.dataTransfer) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
  };

  /** Handles files, text or a link that the user drops on the picture. */
  readonly dropped = (event: DragEvent): void => {
    const { dataTransfer, clientX, clientY } = event;
    const viewer = this.host.viewer();
    if (!this.#takes(event) || !dataTransfer || !viewer) return;
    event.preventDefault();
    const at = viewer.toRemote(clientX, clientY);
    if (!at) return;
    const { x, y } = at;
    if (!dataTransfer.types.includes('Files')) {
      const link = dataTransfer.getData('URL');
      const [text, html] = [link || dataTransfer.getData('text/plain'), dataTransfer.getData('text/html')];
      return viewer.clipboard.drop({ text, ...(html && { html }) }, at, link !== '');
    }
    const items = [...dataTransfer.items].map((item) => item.webkitGetAsEntry());
    const plain = [...dataTransfer.files];
    void this.#loadedReader()
      .then(({ droppedFiles }) => droppedFiles(items, plain))
      .then(({ files, unreadable }) => {
        if (files.length > 0 && !this.host.dispatch(new FileDropEvent(files, x, y))) return;
        if (unreadable.length > 0) this.#do((desk) => desk.unreadable(unreadable));
        if (files.length > 0) this.#do((desk) => desk.drop(files, x, y));
      })
      .catch(() => undefined);
  };

  /** Renders the list again, because its texts may have changed. A list that loads later has these texts. */
  show(): void {
    this.#desk?.show();
  }

  /** Cancels running transfers, and removes the listeners on the client. */
  close(): void {
    const { onChooser, onChooserClosed, onDownload, onRemoved } = this.client.files;
    onChooser.removeListener(this.#asked);
    onChooserClosed.removeListener(this.#answered);
    onDownload.removeListener(this.#download);
    onRemoved.removeListener(this.#removed);
    this.client.remote.unsubscribe('users.onChanged', this.#changed);
    const { client } = this;
    client
      .off('state', this.#stateChanged)
      .off('disconnect', this.#disconnected)
      .off('welcome', this.#list)
      .off('privacy', this.#privacy);
    this.#closed = true;
    this.#waiting = [];
    this.#part?.close();
    this.#readerPart?.close();
    this.#desk?.close();
  }

  #takes({ dataTransfer, defaultPrevented }: DragEvent): boolean {
    const has = (type: string): boolean => dataTransfer?.types.includes(type) === true;
    const isKnown = has('Files') || has('text/plain') || has('text/uri-list');
    return isKnown && !defaultPrevented && this.host.viewer()?.viewOnly === false;
  }

  readonly #asked = (chooser: FileChooser): void => {
    if (this.host.dispatch(new FileChooserEvent(chooser))) this.#do((desk) => desk.ask(chooser));
  };

  readonly #answered = (id: string): void => this.#notify((desk) => desk.closed(id));

  readonly #download = (download: Download): void => this.#tell(download, true);

  /** @param isNews false for a download that the list reads after a connect */
  #tell(download: Download, isNews: boolean): void {
    if (this.host.dispatch(new DownloadEvent(download))) this.#do((desk) => desk.download(download, isNews));
  }

  readonly #removed = (id: string): void => this.#notify((desk) => desk.removed(id));

  /** Uploads wait while the client connects again. */
  readonly #stateChanged = (): void => this.show();

  readonly #disconnected = (): void => this.#notify((desk) => desk.close());

  readonly #list = (): void => {
    this.client.files.list().then(
      (all) => {
        this.#refused = false;
        all.forEach((download) => this.#tell(download, false));
      },
      (error: unknown) => {
        // The session refuses the list to users without the role `file_download`, and during another user's
        // privacy mode.
        if (!(error instanceof CallError) || error.code !== 'err_forbidden') return;
        this.#refused = true;
        this.#notify((desk) => desk.removeDownloads());
      },
    );
  };

  /** Asks for the list again after this user has lost or got the role `file_download`. */
  readonly #changed = ({ id, roles }: SessionUser): void => {
    if (id === this.client.userId && roles.includes('file_download') === this.#refused) this.#list();
  };

  /** Asks for the list again after another user's privacy mode, during which the session refuses it. */
  readonly #privacy = ({ shutOut }: PrivacyInfo): void => {
    if (!shutOut && this.#refused) this.#list();
  };

  /**
   * Resolves when the code that reads dropped files is loaded, also after failures. Never settles if the link
   * is closed before.
   */
  #loadedReader(): Promise<typeof ReaderPart> {
    return (this.#reader ??= new Promise((onLoaded) => {
      const onFailure = (error: Error): unknown => this.host.report(error);
      this.#readerPart = new LatePart({ load: this.loadReader, onLoaded, onFailure });
    }));
  }

  /** Runs an action of the list. Loads the list first if needed. After a failed load, it is loaded again. */
  #do(act: (desk: FileTransfers) => void): void {
    // Dropped files may be read, and a list of downloads may arrive, only after the link was closed.
    if (this.#closed) return;
    this.#part ??= new LatePart({
      load: this.load,
      onLoaded: (list) => this.#loaded(list),
      onFailure: (error) => this.host.report(error),
    });
    this.#notify(act);
  }

  /** Runs an action of the list, now or when the list is loaded. Does nothing if no list is needed yet. */
  #notify(act: (desk: FileTransfers) => void): void {
    if (this.#desk) act(this.#desk);
    else if (this.#part && this.#waiting.length < MAX_WAITING) this.#waiting.push(act);
  }

  #loaded({ FileTransfers: List }: typeof ListPart): void {
    const container = this.host.fileList();
    if (!container) return;
    const dispatch = (event: Event): boolean => this.host.dispatch(event);
    const desk = (this.#desk = new List(this.client, container, dispatch, this.host.words));
    for (const act of this.#waiting.splice(0)) act(desk);
  }
}
