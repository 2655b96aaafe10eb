import type { FileTarget } from 'cloud-browser/protocol';
import type { CdpSession } from '../../../browser/cdp/cdp-session.js';
import { CallError } from '../../../room/calls/call-error.js';
import type { Holder, UserDirectory } from '../file-access.js';
import type { FileBrowser } from '../file-browser.js';
import type { OpenChooser, OpenChoosers } from './open-choosers.js';
import type { UploadTarget } from './upload.js';

/** A place in a page for a new upload: a chooser that waits, or a position on the screen. */
export type NewUploadTarget = Exclude<FileTarget, { upload: string }>;

/** The places in pages to which users upload files: open choosers, and positions on the screen. */
export class UploadTargets {
  /**
   * @param browser returns the current browser
   * @param people returns the users of the session
   */
  constructor(
    private readonly choosers: OpenChoosers,
    private readonly browser: () => FileBrowser | undefined,
    private readonly people: () => UserDirectory | undefined,
  ) {}

  /** Returns the receiver of a user's upload. Throws {@link CallError} if the user may not upload there. */
  find(target: NewUploadTarget, holder: Holder): UploadTarget {
    return 'chooser' in target ? this.#atChooser(target.chooser, holder) : this.#atPosition(target, holder);
  }

  /** Records that an upload has begun. A chooser then accepts no other upload. */
  taken(target: NewUploadTarget, holder: Holder): void {
    if ('chooser' in target) this.#chooserOf(target.chooser, holder).taken = true;
  }

  #chooserOf(id: string, holder: Holder): OpenChooser {
    const chooser = this.choosers.get(id);
    if (chooser && chooser.viewer.user === holder.user && !chooser.taken) return chooser;
    throw chooserGone();
  }

  #atChooser(id: string, holder: Holder): UploadTarget {
    const chooser = this.#chooserOf(id, holder);
    const { page } = chooser;
    return {
      directory: page.directory,
      give: async (paths) => {
        const fits = page.multiple ? paths : paths.slice(0, 1);
        const give = async () => {
          await page.give(fits);
          return true;
        };
        const given = await holder.connection.input.inTurn(undefined, give).catch(() => false);
        this.choosers.answered(chooser);
        if (!given) throw chooserGone();
      },
      abandon: () => this.choosers.cancel(chooser),
      over: page.page.ended,
    };
  }

  #atPosition(at: { x: number; y: number }, holder: Holder): UploadTarget {
    const browser = this.browser();
    const controls = () => holder.may && this.people()?.controls(holder.connection.userId) === true;
    if (!browser || !controls()) throw dropRefused();
    let page: CdpSession | undefined;
    return {
      directory: false,
      give: async (paths) => {
        const drop = async () => (page = await browser.drop(at, paths)) !== undefined;
        if (!controls() || !(await holder.connection.input.inTurn(at, drop))) throw dropRefused();
      },
      abandon: () => undefined,
      get over() {
        return page?.ended ?? browser.gone;
      },
    };
  }
}

function chooserGone(): CallError {
  return new CallError('err_chooser_gone', 'The page does not wait for files any more.');
}

function dropRefused(): CallError {
  return new CallError(
    'err_drop_refused',
    'No page accepted the files at this position, or you may not act on the page now.',
  );
}
