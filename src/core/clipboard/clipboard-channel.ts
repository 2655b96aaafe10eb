import type { ClipboardChunk, ClipboardMessage } from '../../protocol/index.js';
import type { ClipboardContent } from './clipboard-content.js';
import type { ClipboardContents } from './clipboard-contents.js';
import type { ClipboardTransfers, TransferOutlet, ClipboardUpload } from './clipboard-transfers.js';
import { heard } from '../deferred.js';
import { NotConnectedError, UnsupportedError } from '../errors.js';
import type { Timers } from '../timers.js';

/**
 * Timeout for loading the transfer code, in milliseconds. After this time, transfers fail until the code is
 * loaded.
 */
const LOAD_TIMEOUT_MS = 10_000;

/** The module that is loaded later. */
interface LatePart {
  ClipboardContents: new (timers: Timers) => ClipboardContents;
}

/**
 * The clipboard transfers of one client. The code for transfers is loaded when the session reports that it
 * supports transfers. Messages of the session wait until the code is loaded.
 */
export class ClipboardChannel {
  #outlet: TransferOutlet | undefined;
  #contents: ClipboardContents | undefined;
  #loading: Promise<ClipboardContents> | undefined;
  #missing = false;
  /**
   * Messages from the session that arrived before the code was loaded. There are only a few, because the
   * session waits for acknowledgements.
   */
  #waiting: ((transfers: ClipboardTransfers) => void)[] = [];

  constructor(
    private readonly timers: Timers,
    private readonly load: () => Promise<LatePart> = () => import('./clipboard-contents.js'),
  ) {}

  /** Opens the channel for a connection to a session that supports transfers. */
  open(outlet: TransferOutlet): void {
    this.#outlet = outlet;
    if (this.#contents) this.#contents.transfers.open(outlet);
    else this.#loading ??= heard(this.#load());
  }

  /** Closes the channel, because the connection is lost. */
  close(): void {
    this.#outlet = undefined;
    this.#waiting = [];
    this.#contents?.transfers.close();
  }

  /** True if content can be sent. */
  get isOpen(): boolean {
    return this.#outlet !== undefined && !this.#missing;
  }

  /**
   * Uploads as {@link ClipboardContents.upload} does. Before the code is loaded, throws `NotConnectedError`
   * if the channel is not open, and `UnsupportedError` if loading has failed. While the code is loading,
   * `sent` waits for the code, and rejects with these errors.
   */
  upload(content: ClipboardContent): ClipboardUpload {
    const outlet = this.#outlet;
    if (this.#contents) return this.#contents.upload(content);
    if (this.#missing) throw notLoaded();
    if (!outlet || !this.#loading) throw new NotConnectedError();
    let upload: ClipboardUpload | undefined;
    const sent = this.#loading.then((contents) => {
      // The connection has changed, and the content was for the earlier connection.
      if (this.#outlet !== outlet) throw new NotConnectedError();
      upload = contents.upload(content);
      return upload.sent;
    });
    return {
      get transfer() {
        return upload?.transfer ?? 0;
      },
      get isSent() {
        return upload?.isSent ?? false;
      },
      sent: heard(sent),
    };
  }

  /**
   * Downloads as {@link ClipboardContents.download} does. Waits until the code is loaded, and rejects if
   * loading fails.
   */
  async download(transfer: number): Promise<ClipboardContent> {
    const contents = this.#contents ?? (await this.#loading);
    if (!contents) throw this.#missing ? notLoaded() : new NotConnectedError();
    return contents.download(transfer);
  }

  /** Handles a message from the session. */
  received(message: ClipboardMessage): void {
    this.#notify((transfers) => transfers.received(message));
  }

  /** Handles a chunk from the session. */
  chunk(chunk: ClipboardChunk): void {
    this.#notify((transfers) => transfers.chunk(chunk));
  }

  #notify(act: (transfers: ClipboardTransfers) => void): void {
    if (this.#contents) act(this.#contents.transfers);
    else if (this.isOpen) this.#waiting.push(act);
  }

  #load(): Promise<ClipboardContents> {
    return new Promise((resolve, reject) => {
      const fail = (): void => {
        this.#missing = true;
        this.#waiting = [];
        reject(notLoaded());
      };
      const deadline = this.timers.setTimeout(fail, LOAD_TIMEOUT_MS);
      this.load().then(
        ({ ClipboardContents: Contents }) => {
          this.timers.clearTimeout(deadline);
          const contents = (this.#contents = new Contents(this.timers));
          const { transfers } = contents;
          this.#missing = false;
          if (this.#outlet) transfers.open(this.#outlet);
          for (const act of this.#waiting.splice(0)) act(transfers);
          resolve(contents);
        },
        () => {
          this.timers.clearTimeout(deadline);
          // The next connection tries again.
          this.#loading = undefined;
          fail();
        },
      );
    });
  }
}

function notLoaded(): UnsupportedError {
  return new UnsupportedError('The code for clipboard transfers could not be loaded. Reload the page.');
}
