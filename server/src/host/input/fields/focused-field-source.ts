import type { RemoteField, ScreenRectangle } from 'cloud-browser/protocol';
import type { ClientWindows } from '../../display/windows/client-windows.js';
import { pause, systemClock, type Clock } from '../../../platform/time/clock.js';
import { withTimeout } from '../../../platform/time/timeout.js';
import type { CdpSession } from '../../browser/cdp/cdp-session.js';
import type { DropCounter } from '../../browser/cdp/drop-counter.js';
import type { FieldReport, WindowView } from '../../browser/focus/field-report.js';
import type { FieldWatch } from '../../browser/focus/field-watch.js';
import { askPage } from '../../browser/pages/ask-page.js';
import type { Pages } from '../../browser/pages/pages.js';
import { fieldInBrowser, fieldInPage, type BrowserFieldKind, type PageView } from './remote-field.js';

/**
 * Timeout for an answer of the display or of the browser's own process. Both normally answer within
 * milliseconds.
 */
const ANSWER_TIMEOUT_MS = 250;
/**
 * Time without the focus in any page after which the sign-in window of a kiosk has it. After a popup or a
 * dialog closes, a page gets the focus back a little later. Milliseconds.
 */
const SETTLE_MS = 300;
/**
 * Position of the address bar in Chromium's toolbar, in CSS pixels: the distance from the bar's upper edge to
 * the page's upper edge, the bar's height, and the space on each side of the bar.
 */
const ADDRESS_ABOVE = 37;
const ADDRESS_HEIGHT = 34;
const ADDRESS_BESIDE = 120;

/** The window of an emulated phone's page, and the height that the page had when the host read the window. */
interface PhoneWindow extends Pick<WindowView, 'left' | 'end' | 'inner'> {
  page: CdpSession;
}

/**
 * Reports the focused text field to subscribers. Combines reports of the pages with the state of the
 * browser's dialogs and windows.
 */
export class FocusedFieldSource {
  /**
   * Called when another field gets the focus, or when the field changes or moves. The argument is undefined
   * if no text field has the focus.
   */
  onChange: ((field: RemoteField | undefined) => void) | undefined;
  #field: RemoteField | undefined;
  #last = 'null';
  #round = 0;
  #wanted = false;
  /**
   * Newest id that was given to a field of the browser's own interface. These ids are negative. Ids of fields
   * in pages are positive.
   */
  #browserId = 0;
  #inBrowser: BrowserFieldKind | undefined;
  #window: PhoneWindow | undefined;
  readonly #unwatch: () => void;

  /** @param kiosk true if the browser has no address bar */
  constructor(
    private readonly watch: FieldWatch,
    private readonly pages: Pick<Pages, 'dialogs' | 'isPhone' | 'pixelRatio'>,
    private readonly windows: Pick<ClientWindows, 'hasKeyboard'>,
    private readonly drops: DropCounter,
    private readonly kiosk: boolean,
    private readonly clock: Clock = systemClock,
  ) {
    watch.onChange = () => void this.#look();
    // While a dialog is open, the page accepts no text, but the dialog may accept text.
    this.#unwatch = pages.dialogs.watch(() => void this.#look());
  }

  /** The focused field. Undefined if no text field has the focus, or if there are no subscribers. */
  get field(): RemoteField | undefined {
    return this.#field;
  }

  /**
   * Starts or stops reporting.
   *
   * @param wanted true if there are subscribers
   */
  want(wanted: boolean): void {
    if (wanted !== this.#wanted) {
      this.#wanted = wanted;
      // Checks at once, because reports of frames may already be available.
      void this.#look();
    }
    this.watch.want(wanted).catch((error: unknown) => this.drops.add('the script of fields', String(error)));
  }

  close(): void {
    this.#round += 1;
    this.onChange = undefined;
    this.#unwatch();
    this.watch.close();
  }

  async #look(): Promise<void> {
    const round = ++this.#round;
    const field = this.#wanted ? await this.#find() : undefined;
    // Ignores the result if a newer check has begun.
    if (round === this.#round) this.#become(field);
  }

  async #find(): Promise<RemoteField | undefined> {
    const { path, seen } = this.watch.state();
    const page = path?.page ?? seen?.page;
    const dialog = page && this.pages.dialogs.of(page);
    // A page with an open dialog accepts no text.
    if (dialog) return dialog.type === 'prompt' ? this.#ofBrowser('prompt') : undefined;
    if (path) {
      this.#inBrowser = undefined;
      const [top] = path.reports;
      return fieldInPage(path, top && (await this.#viewOf(path.page, top)));
    }
    if (!seen) return undefined;
    // No page has the focus. Either the browser's own interface has the focus, or no window of the browser
    // has it. In a kiosk, the only field of this interface is in the window that asks for a user name and a
    // password (HTTP authentication). Elsewhere, this window has the focus while it is open.
    if (this.kiosk) await pause(this.clock, SETTLE_MS);
    const asked = this.windows.hasKeyboard().catch(() => false);
    if (!(await withTimeout(asked, ANSWER_TIMEOUT_MS, () => false))) return undefined;
    if (this.kiosk || (await this.#asksToSignIn(seen.page))) return this.#ofBrowser('sign-in');
    const view = await this.#viewOf(seen.page, seen.report);
    return this.#ofBrowser('address', view && addressBar(view, this.pages.pixelRatio));
  }

  /**
   * True if the browser asks for a user name and a password before it opens the page's address. Until the
   * answer, it shows an error page without text. All other error pages have a text.
   */
  async #asksToSignIn(page: CdpSession): Promise<boolean> {
    const isEmpty = askPage(page, '!document.body?.innerText.trim()', false);
    const asked = Promise.all([page.send('Page.getFrameTree', {}), isEmpty]).then(
      ([{ frameTree }, empty]) => frameTree.frame.unreachableUrl !== undefined && empty === true,
      () => false,
    );
    return withTimeout(asked, ANSWER_TIMEOUT_MS, () => false);
  }

  #ofBrowser(kind: BrowserFieldKind, rectangle?: ScreenRectangle): RemoteField {
    if (this.#inBrowser !== kind) this.#browserId -= 1;
    this.#inBrowser = kind;
    return fieldInBrowser(this.#browserId, kind, rectangle);
  }

  async #viewOf(page: CdpSession, { view }: FieldReport): Promise<PageView | undefined> {
    const { isPhone, pixelRatio } = this.pages;
    const window = isPhone ? await this.#phoneWindow(page, view) : view;
    if (!window) return undefined;
    return {
      ...view,
      left: window.left * pixelRatio,
      top: Math.max(0, window.end * pixelRatio - window.inner),
    };
  }

  /**
   * Returns the window of an emulated phone's page. Undefined if the browser does not answer. The page itself
   * reports a window without a toolbar. So the host reads the window's size from the browser. The page is at
   * the lower edge of the window.
   */
  async #phoneWindow(page: CdpSession, view: WindowView): Promise<PhoneWindow | undefined> {
    const inner = Math.round(view.height * view.scale);
    if (this.#window?.page !== page || this.#window.inner !== inner) {
      const asked = page.send('Browser.getWindowForTarget', {}).catch(() => undefined);
      const answer = await withTimeout(asked, ANSWER_TIMEOUT_MS, () => undefined);
      if (!answer) return undefined;
      const { left = 0, top = 0, height = 0 } = answer.bounds;
      this.#window = { page, inner, left, end: top + height };
    }
    return this.#window;
  }

  #become(field: RemoteField | undefined): void {
    const text = JSON.stringify(field ?? null);
    if (text === this.#last) return;
    this.#last = text;
    this.#field = field;
    this.onChange?.(field);
  }
}

/** Returns the position of the address bar: above the page, between the buttons beside it. */
function addressBar(view: PageView, pixelRatio: number): ScreenRectangle | undefined {
  const [above, height, beside] = [ADDRESS_ABOVE, ADDRESS_HEIGHT, ADDRESS_BESIDE].map(
    (pixels) => pixels * pixelRatio,
  );
  if (above === undefined || height === undefined || beside === undefined || view.top < above)
    return undefined;
  const width = Math.round(view.width * view.scale) - 2 * beside;
  return [view.left + beside, view.top - above, Math.max(0, width), height];
}
