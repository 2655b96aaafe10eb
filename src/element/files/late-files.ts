import { LatePart } from '../../core/late-part.js';
import type { CloudBrowserClient } from '../../core/index.js';
import type * as FilePart from './file-link.js';
import type { FileLink, FileLinkHost } from './file-link.js';
import { useErrorTexts } from '../lang/error-sentence.js';

/** Loads the file handling of an element when the session connects. */
export class LateFiles {
  readonly #client: CloudBrowserClient;
  readonly #host: FileLinkHost;
  #part: LatePart<typeof FilePart> | undefined;
  #link: FileLink | undefined;

  constructor(client: CloudBrowserClient, host: FileLinkHost) {
    this.#client = client;
    this.#host = host;
    client.once('welcome', this.#load);
  }

  /** Allows dropping while files are dragged over the picture. */
  readonly dragged = (event: DragEvent): void => this.#link?.dragged(event);

  /** Handles files that are dropped on the picture. */
  readonly dropped = (event: DragEvent): void => this.#link?.dropped(event);

  /** Renders the list again, because its texts may have changed. */
  show(): void {
    this.#link?.show();
  }

  /** Cancels running transfers and a pending load. */
  close(): void {
    this.#client.off('welcome', this.#load);
    this.#part?.close();
    this.#link?.close();
  }

  readonly #load = (): void => {
    this.#part = new LatePart({
      load: () => import('./file-link.js'),
      onLoaded: ({ FileLink: Link, ERROR_TEXTS }) => {
        useErrorTexts(ERROR_TEXTS);
        this.#link = new Link(this.#client, this.#host);
      },
      onFailure: (error) => this.#host.report(error),
    });
  };
}
