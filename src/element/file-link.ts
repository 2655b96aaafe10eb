import { clampToRemote, clientToRemote, insideRemote, type CloudBrowserClient } from '../core/index.js';
import type { Viewer } from '../viewer/index.js';
import { DownloadEvent, FileChooserEvent, FileDropEvent } from './file-events.js';
import type { Words } from './lang/texts.js';
import type { FileDesk } from './files/file-desk.js';

/** What the link needs of its element. */
export interface FileLinkHost {
  /** Where the list is put; undefined before the element is rendered. */
  fileList(): HTMLElement | undefined;
  /** What files can be dropped on. */
  viewer(): Viewer | undefined;
  /** False: a listener wants to do it by itself. */
  dispatch(event: Event): boolean;
  readonly words: Words;
}

/** Binds the files of a client to an element. What shows them is loaded when there is something to show. */
export class FileLink {
  #desk: Promise<FileDesk | undefined> | undefined;
  #closed = false;

  constructor(
    private readonly client: CloudBrowserClient,
    private readonly host: FileLinkHost,
  ) {
    const { files } = client;
    const quietly = (subscribed: Promise<void>): void => void subscribed.catch(() => undefined);
    quietly(
      files.onChooser.addListener((chooser) => {
        if (host.dispatch(new FileChooserEvent(chooser))) this.#do((desk) => desk.ask(chooser));
      }),
    );
    quietly(files.onChooserClosed.addListener((id) => this.#tell((desk) => desk.closed(id))));
    quietly(files.onDownload.addListener((download) => this.#download(download)));
    quietly(files.onRemoved.addListener((id) => this.#tell((desk) => desk.removed(id))));
    client.on('disconnect', () => this.#tell((desk) => desk.close()));
    const list = (): void => {
      // Without the role there are none.
      files.list().then(
        (all) => all.forEach((download) => this.#download(download)),
        () => undefined,
      );
    };
    client.on('welcome', list);
    if (client.welcome) list();
  }

  /** Files are dragged over the picture: lets them be dropped. */
  readonly dragged = (event: DragEvent): void => {
    if (!this.#takes(event) || !event.dataTransfer) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
  };

  /** Files are dropped on the picture. */
  readonly dropped = (event: DragEvent): void => {
    const { dataTransfer, clientX, clientY } = event;
    const viewer = this.host.viewer();
    if (!this.#takes(event) || !dataTransfer || !viewer) return;
    event.preventDefault();
    const { width, height } = viewer.stats();
    const box = viewer.canvas.getBoundingClientRect();
    const at = clientToRemote({ x: clientX, y: clientY }, box, { width, height }, viewer.fit);
    if (!at || !insideRemote(at, { width, height })) return;
    const { x, y } = clampToRemote(at, { width, height });
    const items = [...dataTransfer.items].map((item) => item.webkitGetAsEntry());
    const plain = [...dataTransfer.files];
    void import('./files/local-files.js')
      .then(({ droppedFiles }) => droppedFiles(items, plain))
      .then((files) => {
        if (files.length > 0 && this.host.dispatch(new FileDropEvent(files, x, y)))
          this.#do((desk) => desk.drop(files, x, y));
      })
      .catch(() => undefined);
  };

  /** Shows the list once more: its words may be others. */
  show(): void {
    this.#tell((desk) => desk.show());
  }

  /** Gives up what is under way. */
  close(): void {
    this.#closed = true;
    this.#tell((desk) => desk.close());
  }

  #takes({ dataTransfer, defaultPrevented }: DragEvent): boolean {
    const files = dataTransfer?.types.includes('Files') === true;
    return files && !defaultPrevented && this.host.viewer()?.viewOnly === false;
  }

  #download(download: ConstructorParameters<typeof DownloadEvent>[0]): void {
    if (this.host.dispatch(new DownloadEvent(download))) this.#do((desk) => desk.download(download));
  }

  /** Has the list do something; there will be one. */
  #do(act: (desk: FileDesk) => void): void {
    // What could not be loaded is loaded for the next file.
    this.#desk ??= this.#open().catch(() => (this.#desk = undefined));
    this.#tell(act);
  }

  #tell(act: (desk: FileDesk) => void): void {
    void this.#desk?.then((desk) => desk && act(desk));
  }

  async #open(): Promise<FileDesk | undefined> {
    const { FileDesk } = await import('./files/file-desk.js');
    const container = this.host.fileList();
    if (this.#closed || !container) return undefined;
    return new FileDesk(this.client, container, (event) => this.host.dispatch(event), this.host.words);
  }
}
