import type { CdpConnection } from '../cdp/cdp-connection.js';
import type { CdpSession } from '../cdp/cdp-session.js';
import type { FocusWatch } from '../focus/focus-watch.js';
import { BrowserDownloads } from './browser-downloads.js';
import { INNER_DOWNLOADS } from './file-places.js';
import { followChoosers, type PageChooser } from './choosers.js';
import { PrintHook } from './print-hook.js';

/** File functions of pages: file choosers, downloads and printing. One instance per browser. */
export class BrowserFiles {
  readonly downloads: BrowserDownloads;
  /**
   * Called when a page asks for files. Returns the function that receives the chooser, which may be some
   * minutes later if the page is busy. By default the chooser is cancelled.
   */
  onChooser: () => (chooser: PageChooser) => void = () => (chooser) =>
    void chooser.cancel().catch(() => undefined);
  /** Called to get the path of a complete download, in the form that a page's file field accepts. */
  pathOf: (download: string) => Promise<string> = () => Promise.reject(new Error('There is no such file.'));
  /**
   * Called to get the path of a file that a program has sent, in the same form. Returns undefined if there is
   * no such file. The session keeps the file until `pageEnded` settles.
   */
  uploadOf: (upload: string, pageEnded: Promise<unknown> | undefined) => string | undefined = () => undefined;
  /** Called when a page should be printed, with the session of the page or of the frame that prints. */
  onPrint: (page: CdpSession) => void = () => undefined;
  readonly #print = new PrintHook();

  /**
   * @param focus knows which fields are masked; undefined in sessions without field masking
   * @param hideDownloads as in {@link BrowserDownloads}
   */
  constructor(
    cdp: CdpConnection,
    private readonly focus: Pick<FocusWatch, 'isMaskedField'> | undefined,
    hideDownloads?: () => Promise<unknown>,
  ) {
    this.downloads = new BrowserDownloads(cdp, INNER_DOWNLOADS, hideDownloads);
  }

  /**
   * Follows a page, or a frame that has its own process. `parent` and `around` are as in
   * {@link PrintHook.follow}.
   */
  follow(page: CdpSession, parent: CdpSession, around?: string): void {
    followChoosers(page, () => this.onChooser());
    this.#print.follow(page, parent, () => this.onPrint(page), around);
  }

  /** True if the file field is masked. */
  async isMasked({ page, frame, node }: PageChooser): Promise<boolean> {
    return (await this.focus?.isMaskedField(page, frame, node)) ?? false;
  }
}
