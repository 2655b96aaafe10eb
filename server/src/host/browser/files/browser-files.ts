import type { CdpConnection } from '../cdp/cdp-connection.js';
import type { CdpSession } from '../cdp/cdp-session.js';
import type { FocusWatch } from '../focus/focus-watch.js';
import { BrowserDownloads } from './browser-downloads.js';
import { INNER_DOWNLOADS } from './file-places.js';
import { followChoosers, type PageChooser } from './choosers.js';
import { PrintHook } from './print-hook.js';

/** What pages want with files: to be given some, to give some out, and to be printed. One for each browser. */
export class BrowserFiles {
  readonly downloads: BrowserDownloads;
  /** Told when a page asks for files; until then nobody answers, and nothing is chosen. */
  onChooser: (chooser: PageChooser) => void = (chooser) => void chooser.cancel().catch(() => undefined);
  /** Told when the page in front is to be printed. */
  onPrint: () => void = () => undefined;
  readonly #print = new PrintHook();

  /**
   * @param focus knows what is masked, in sessions that mask anything
   * @param hideDownloads as in {@link BrowserDownloads}
   */
  constructor(
    cdp: CdpConnection,
    private readonly focus: Pick<FocusWatch, 'isMaskedField'> | undefined,
    hideDownloads?: () => Promise<unknown>,
  ) {
    this.downloads = new BrowserDownloads(cdp, INNER_DOWNLOADS, hideDownloads);
  }

  /** Follows a page, or a frame of another process. */
  follow(page: CdpSession): void {
    followChoosers(page, (chooser) => this.onChooser(chooser));
    this.#print.follow(page, () => this.onPrint());
  }

  /** Whether the field that asks is masked. */
  async isMasked({ page, frame, node }: PageChooser): Promise<boolean> {
    return (await this.focus?.isMaskedField(page, frame, node)) ?? false;
  }
}
