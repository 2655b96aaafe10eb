import { LatePart } from '../core/late-part.js';
import type { CloudBrowserClient } from '../core/index.js';
import { CloudBrowserErrorEvent } from './events.js';
import type * as FilePart from './file-link.js';
import type { FileLink, FileLinkHost } from './file-link.js';

/** The files of a session: what binds them to an element is loaded when the session is there. */
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

  /** Files are dragged over the picture: lets them be dropped. */
  readonly dragged = (event: DragEvent): void => this.#link?.dragged(event);

  /** Files are dropped on the picture. */
  readonly dropped = (event: DragEvent): void => this.#link?.dropped(event);

  /** Shows the list once more: its words may be others. */
  show(): void {
    this.#link?.show();
  }

  /** Gives up what is under way. */
  close(): void {
    this.#client.off('welcome', this.#load);
    this.#part?.close();
    this.#link?.close();
  }

  readonly #load = (): void => {
    this.#part = new LatePart({
      load: () => import('./file-link.js'),
      onLoaded: ({ FileLink: Link }) => (this.#link = new Link(this.#client, this.#host)),
      onFailure: (error) => this.#host.dispatch(new CloudBrowserErrorEvent(error)),
    });
  };
}
