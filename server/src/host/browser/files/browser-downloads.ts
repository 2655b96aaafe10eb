import type { CdpConnection } from '../cdp/cdp-connection.js';

/** What the browser tells of a file that a page gives out. */
export interface DownloadListener {
  /** @param name as the page wants it to be called */
  onBegin(id: string, name: string): void;
  /** @param size bytes; null when the browser does not know */
  onProgress(id: string, received: number, size: number | null): void;
  /** @param received bytes, when all of it is on the disk; null when it was given up */
  onEnd(id: string, received: number | null): void;
}

/**
 * The browser's own downloads: each becomes a file with its id as name, which is a UUID. The policy that refuses downloads stays:
 * only those whom the pipe belongs to can allow them.
 */
export class BrowserDownloads {
  readonly #browser: CdpConnection['browser'];
  /** Told of each download; without one all are given up at once. */
  listener: DownloadListener | undefined;
  #allowing: Promise<void> | undefined;

  /**
   * @param directory where the browser puts them, as it sees it
   * @param hide keeps the browser from telling of downloads itself, over the page of a kiosk; none is begun before {@link allow} has
   * done that. Undefined: it may tell of them, and they are allowed at once
   */
  constructor(
    cdp: CdpConnection,
    private readonly directory: string,
    private readonly hide?: () => Promise<unknown>,
  ) {
    this.#browser = cdp.browser;
    this.#browser.on('Browser.downloadWillBegin', ({ guid, suggestedFilename }) => {
      if (this.listener) this.listener.onBegin(guid, suggestedFilename);
      else this.cancel(guid);
    });
    this.#browser.on('Browser.downloadProgress', ({ guid, state, receivedBytes, totalBytes }) => {
      if (state === 'inProgress')
        this.listener?.onProgress(guid, receivedBytes, totalBytes > 0 ? totalBytes : null);
      else this.listener?.onEnd(guid, state === 'completed' ? receivedBytes : null);
    });
    if (hide) this.#browser.post('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true });
    else void this.allow();
  }

  /** There is somebody who may have downloads. Resolves when pages can give some out, or cannot be let. */
  allow(): Promise<void> {
    this.#allowing ??= this.#allow();
    return this.#allowing;
  }

  /** Gives a download up; the browser removes its file. */
  cancel(id: string): void {
    this.#browser.post('Browser.cancelDownload', { guid: id });
  }

  async #allow(): Promise<void> {
    try {
      await this.hide?.();
      await this.#browser.send('Browser.setDownloadBehavior', {
        behavior: 'allowAndName',
        downloadPath: this.directory,
        eventsEnabled: true,
      });
    } catch {
      // The next who may have some tries again.
      this.#allowing = undefined;
    }
  }
}
