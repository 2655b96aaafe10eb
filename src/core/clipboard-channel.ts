import type { ClipboardChunk, ClipboardMessage } from '../protocol/index.js';
import type { ClipboardContent } from './clipboard-content.js';
import type { ClipboardContents } from './clipboard-contents.js';
import type { ClipboardTransfers, TransferOutlet, Upload } from './clipboard-transfers.js';
import { heard } from './deferred.js';
import { NotConnectedError, UnsupportedError } from './errors.js';
import type { Timers } from './timers.js';

/** What is not loaded by then is done without, until it is. Milliseconds. */
const LOAD_TIMEOUT_MS = 10_000;

/** What is loaded later. */
interface LatePart {
  ClipboardContents: new (timers: Timers) => ClipboardContents;
}

/**
 * The clipboard transfers of one client. What carries them out is loaded when a session takes transfers, which is before anybody can
 * paste or copy there; what comes meanwhile waits for it.
 */
export class ClipboardChannel {
  #outlet: TransferOutlet | undefined;
  #contents: ClipboardContents | undefined;
  #loading: Promise<ClipboardContents> | undefined;
  #missing = false;
  /** What the session has sent before there was something that understands it. It sends little of a transfer that is not acknowledged. */
  #waiting: ((transfers: ClipboardTransfers) => void)[] = [];

  constructor(
    private readonly timers: Timers,
    private readonly load: () => Promise<LatePart> = () => import('./clipboard-contents.js'),
  ) {}

  /** There is a connection to a session that takes transfers. */
  open(outlet: TransferOutlet): void {
    this.#outlet = outlet;
    if (this.#contents) this.#contents.transfers.open(outlet);
    else this.#loading ??= heard(this.#load());
  }

  /** The connection is gone. */
  close(): void {
    this.#outlet = undefined;
    this.#waiting = [];
    this.#contents?.transfers.close();
  }

  /** Whether something can be sent. */
  get isOpen(): boolean {
    return this.#outlet !== undefined && !this.#missing;
  }

  /** As {@link ClipboardContents.upload}; what cannot be sent before it is loaded rejects. */
  upload(content: ClipboardContent): Upload {
    const outlet = this.#outlet;
    if (this.#contents) return this.#contents.upload(content);
    if (this.#missing) throw notLoaded();
    if (!outlet || !this.#loading) throw new NotConnectedError();
    let upload: Upload | undefined;
    const sent = this.#loading.then((contents) => {
      // It was meant for that connection.
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

  /** As {@link ClipboardContents.download}. */
  async download(transfer: number): Promise<ClipboardContent> {
    const contents = this.#contents ?? (await this.#loading);
    if (!contents) throw this.#missing ? notLoaded() : new NotConnectedError();
    return contents.download(transfer);
  }

  /** A message of the session. */
  received(message: ClipboardMessage): void {
    this.#tell((transfers) => transfers.received(message));
  }

  /** A chunk of the session. */
  chunk(chunk: ClipboardChunk): void {
    this.#tell((transfers) => transfers.chunk(chunk));
  }

  #tell(act: (transfers: ClipboardTransfers) => void): void {
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
  return new UnsupportedError('What transfers the clipboard could not be loaded. Load the page again.');
}
