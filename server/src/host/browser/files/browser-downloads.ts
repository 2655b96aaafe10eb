import type { CdpConnection } from '../cdp/cdp-connection.js';

/** Receiver of the browser's download events. */
export interface DownloadListener {
  /** @param name name that the page suggests */
  onBegin(id: string, name: string): void;
  /** @param size bytes; null if the browser does not know */
  onProgress(id: string, received: number, size: number | null): void;
  /** @param received size in bytes if the complete file is on the disk; null if the download was cancelled */
  onEnd(id: string, received: number | null): void;
}

/**
 * The browser's own downloads. Each download is saved as a file whose name is the download's id, a UUID. A
 * policy refuses all downloads. The host allows them with a command over the CDP pipe, to which the policy
 * does not apply.
 */
export class BrowserDownloads {
  readonly #browser: CdpConnection['browser'];
  /** Called for each download. Without a listener, every download is cancelled at once. */
  listener: DownloadListener | undefined;
  #allowing: Promise<void> | undefined;

  /**
   * @param directory the browser's download directory, as a path inside the sandbox
   * @param hide turns off the browser's own download notices, which would cover the page of a kiosk.
   *   {@link allow} calls it before it allows downloads. If undefined, the browser may show its notices, and
   *   downloads are allowed at once
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

  /**
   * Allows downloads. Called when a user with the role for downloads is present. Resolves when pages can
   * offer downloads, or when this failed.
   */
  allow(): Promise<void> {
    this.#allowing ??= this.#allow();
    return this.#allowing;
  }

  /** Cancels a download. The browser removes its file. */
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
      // The next call tries again.
      this.#allowing = undefined;
    }
  }
}
