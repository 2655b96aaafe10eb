import type { DialogAnswer, PageDialog } from 'cloud-browser/protocol';
import { TokenBucket } from '../../../platform/rates/token-bucket.js';
import type { Clock } from '../../../platform/time/clock.js';
import { PacedTask } from '../../../platform/time/paced-task.js';
import { repeat, type Repetition } from '../../../platform/time/repeat.js';
import type { Bridge } from '../../browser/bridge/bridge.js';
import { pageWithShownDialog } from '../../browser/bridge/shown-dialog.js';
import type { CdpSession } from '../../browser/cdp/cdp-session.js';
import type { Pages } from '../../browser/pages/pages.js';
import { CallError } from '../../room/calls/call-error.js';
import { canUse } from '../../room/users/can-use.js';
import type { Roster } from '../../room/users/roster.js';
import type { Viewer } from '../../room/viewers/viewer.js';

/** Maximum rate of searches for the dialog. Pages can open and close dialogs in a loop. */
const PACE = { perSecond: 10, burst: 10 };
/**
 * Maximum rate of further dialogs. A page can open a dialog after each answer. Viewers cover the picture for
 * a dialog, so users need time between two dialogs to close the page.
 */
const FURTHER = { perSecond: 0.5, burst: 5 };
/**
 * Interval between two checks of which page is in front, while a dialog is open. Chromium does not report all
 * changes of the page in front. Milliseconds.
 */
const FRONT_EVERY_MS = 1_000;

/** Parts of a browser that this class needs. */
export interface DialogBrowser {
  bridge: Pick<Bridge, 'call'>;
  devices: { pages: Pick<Pages, 'all' | 'dialogs' | 'ofTarget'> };
}

/** A dialog that viewers see. */
interface Shown {
  page: CdpSession;
  dialog: PageDialog;
  id: number;
}

/**
 * Sends viewers the dialog of the page in front. Only users who may have control get it. While another user
 * is in privacy mode, they may not.
 */
export class DialogReporter {
  #browser: DialogBrowser | undefined;
  #unwatch: (() => void) | undefined;
  #shown: Shown | undefined;
  /** Numbers of the dialogs that were shown. */
  readonly #ids = new WeakMap<PageDialog, number>();
  #lastId = 0;
  /** Number of the dialog that a user answered last. */
  #answeredId: number | undefined;
  /** The number of the dialog that each viewer has. */
  readonly #told = new WeakMap<Viewer, number>();
  /** True while a user may have control. */
  #wanted = false;
  readonly #further: TokenBucket;
  readonly #pace: PacedTask;
  readonly #looks: Repetition;

  constructor(
    private readonly roster: Pick<Roster, 'viewers'>,
    clock: Clock,
  ) {
    this.#further = new TokenBucket(FURTHER, clock);
    this.#looks = repeat(clock, { every: () => (this.#isNeeded ? FRONT_EVERY_MS : Infinity) }, () =>
      this.#look(),
    );
    this.#pace = new PacedTask(() => void this.#looks.runNow(), PACE, clock);
  }

  /** Uses a browser that has started. */
  use(browser: DialogBrowser): void {
    this.browserIsGone();
    this.#browser = browser;
    this.#unwatch = browser.devices.pages.dialogs.watch(() => this.#changed());
    this.#pace.ask();
  }

  /** Forgets the browser after it has ended. */
  browserIsGone(): void {
    this.#unwatch?.();
    this.#browser = this.#unwatch = undefined;
    this.#show(undefined);
  }

  /** Sends updates after viewers have joined, or the rights of users have changed. */
  refresh(): void {
    const wanted = [...this.roster.viewers()].some((viewer) => canUse(viewer, 'control'));
    const isNew = wanted && !this.#wanted;
    this.#wanted = wanted;
    if (isNew) this.#pace.ask();
    this.#tell();
  }

  /**
   * Answers the dialog with this number. Rejects with {@link CallError} if viewers see it no longer, or if
   * another user was faster.
   */
  async answer(id: number, answer: DialogAnswer): Promise<void> {
    const shown = this.#shown;
    const dialogs = this.#browser?.devices.pages.dialogs;
    if (!dialogs || shown?.id !== id || this.#answeredId === id) throw dialogGone();
    // The page may open its next dialog before the host hears that this one is closed.
    this.#answeredId = id;
    await dialogs.answer(shown.page, answer).catch(() => {
      this.#answeredId = undefined;
      throw dialogGone();
    });
  }

  close(): void {
    this.#looks.stop();
    this.#pace.close();
    this.#unwatch?.();
  }

  get #isNeeded(): boolean {
    return this.#wanted && (this.#browser?.devices.pages.dialogs.all().size ?? 0) > 0;
  }

  #changed(): void {
    const { page, dialog } = this.#shown ?? {};
    const open = this.#browser?.devices.pages.dialogs;
    // A closed dialog disappears at once, also if the search for the next one takes time.
    if (page && open?.of(page) !== dialog) this.#show(undefined);
    if (this.#isNeeded) this.#pace.ask();
  }

  async #look(): Promise<void> {
    const browser = this.#browser;
    if (!browser || !this.#wanted) {
      this.#show(undefined);
      return;
    }
    const { pages } = browser.devices;
    // If the browser does not answer, the dialog that viewers see stays until it is closed.
    const page = await pageWithShownDialog(browser.bridge, pages).catch(() => this.#shown?.page);
    if (browser === this.#browser) this.#show(page && this.#takesTurn(page) ? page : undefined);
  }

  /** True if the dialog of a page was already shown, or may be shown now. The next check asks again. */
  #takesTurn(page: CdpSession): boolean {
    const dialog = this.#browser?.devices.pages.dialogs.of(page);
    return dialog !== undefined && (this.#ids.has(dialog) || this.#further.take());
  }

  /** Shows the dialog of a page, or none. */
  #show(page: CdpSession | undefined): void {
    const dialog = page && this.#browser?.devices.pages.dialogs.of(page);
    if (page && dialog) {
      const id = this.#ids.get(dialog) ?? ++this.#lastId;
      this.#ids.set(dialog, id);
      this.#shown = { page, dialog, id };
    } else {
      this.#shown = undefined;
    }
    this.#tell();
  }

  #tell(): void {
    for (const viewer of this.roster.viewers()) {
      const shown = canUse(viewer, 'control') ? this.#shown : undefined;
      const id = shown?.id ?? 0;
      if ((this.#told.get(viewer) ?? 0) === id) continue;
      this.#told.set(viewer, id);
      viewer.send({ type: 'dialog', dialog: shown ? describe(shown) : null });
    }
  }
}

function describe({ id, dialog: { type, message, defaultPrompt, url } }: Shown) {
  return { id, type, message, defaultPrompt, site: siteOf(url) };
}

/** Returns the name of a site, as in Chromium's dialog. Empty for addresses without one, such as `data:`. */
function siteOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.host : '';
}

function dialogGone(): CallError {
  return new CallError('err_dialog_gone', 'The dialog is closed. Another user may have answered it.');
}
