import type { AccessibilityText, TabDialog } from 'cloud-browser/protocol';
import type { Protocol } from 'devtools-protocol';
import { withTimeout } from '../../../../platform/time/timeout.js';
import { pause, type Clock, type Timer } from '../../../../platform/time/clock.js';
import { clickableElements } from '../../../browser/accessibility/nodes/clickable-elements.js';
import type { TreeNode } from '../../../browser/accessibility/nodes/tree-node.js';
import { readableNode } from '../../../browser/accessibility/readable-node.js';
import { Secrets } from '../../../browser/accessibility/secrets.js';
import { CdpError, type CdpSession } from '../../../browser/cdp/cdp-session.js';
import { shownAddress, type ShownAddress } from '../../../browser/pages/shown-address.js';
import type { Navigation } from '../../../browser/pages/watch/pending-navigations.js';
import {
  browserUnavailable,
  CallError,
  dialogOpen,
  nodeGone,
  pageCrashed,
  pageUnresponsive,
} from '../../../room/calls/call-error.js';
import { textOfTree, type TextChoice, type TextNode } from './accessibility-text.js';
import type { ComputerBrowser } from '../computer-browser.js';
import { DialogChanges } from './dialog-changes.js';

/**
 * Timeout for reading the whole tree. After this time, the text contains only the part that was read.
 * Milliseconds.
 */
const COMPLETE_TIMEOUT_MS = 5_000;
/**
 * The same timeout for a page with an open dialog or a pending navigation. Such a page answers no new
 * requests. Milliseconds.
 */
const BLOCKED_TIMEOUT_MS = 100;
/** The tree is kept up to date for this time after a call. Milliseconds. */
const LINGER_MS = 60_000;
/**
 * Timeout for the address and the title of a page. The browser answers this request, not the page.
 * Milliseconds.
 */
const TITLE_TIMEOUT_MS = 1_000;

/**
 * Number of attempts to read a page whose text is empty, and the pause between two attempts in milliseconds.
 */
const [ATTEMPTS, ATTEMPT_MS] = [8, 250];
/**
 * Number of attempts after which an error page without text counts as that of a page that asks for a
 * password. The texts of all other error pages appear soon after the page.
 */
const SIGN_IN_ATTEMPTS = 5;

/**
 * Text of a page that contains only a frame, such as a PDF. The content of a PDF is not in the accessibility
 * trees that Chromium sends over CDP. The frame contains at most the toolbar of the viewer.
 */
const ONLY_FRAME = /^- iframe[^\n]*(?:\n {2}[^\n]*)*$/;

/** Error message for an action on a node of a page that waits for a web server. */
const LOADING =
  'The tab waits for a web server, so its page does not react now. Wait, or press Escape to stop waiting, then read the text of the page again.';

/** Reads the active page as text from its accessibility tree. */
export class PageReading {
  #browser: ComputerBrowser | undefined;
  #linger: Timer | undefined;
  /** Elements that were found in the newest text. */
  #clickable: ReadonlySet<TreeNode> = new Set();

  constructor(private readonly clock: Clock) {}

  use(browser: ComputerBrowser): void {
    this.#browser = browser;
  }

  browserIsGone(): void {
    this.#linger?.cancel();
    this.#clickable = new Set();
    this.#browser = undefined;
  }

  /**
   * Returns the text of the active page. Rejects with {@link CallError}.
   *
   * @param seesMasked returns true if the reader may read masked fields now
   * @param shownDialog returns the dialog that blocks the page. The text then contains only the part that was
   *   already read
   */
  async text(
    seesMasked: () => boolean,
    shownDialog: () => Promise<TabDialog | undefined> = () => Promise.resolve(undefined),
    choice: TextChoice = {},
  ): Promise<AccessibilityText> {
    const changes = new DialogChanges(this.#needed().devices.pages.dialogs);
    try {
      for (let attempt = 1; ; attempt++) {
        const changed = changes.next();
        const shown = await shownDialog();
        const read = await this.#text(seesMasked, shown !== undefined, changed, choice);
        const isLast = attempt === ATTEMPTS || choice.after !== undefined;
        // While the page was read, the dialog has opened or closed, or another page has become active.
        if ((changes.isChanged || read === 'another page') && !isLast) continue;
        if (!read || read === 'another page')
          throw (await this.#isCrashed()) ? pageCrashed() : pageUnresponsive();
        if (shown) {
          const { tabId: _tab, ...dialog } = shown;
          return { ...read, dialog };
        }
        // At first, the tree of a newly opened page is empty.
        const isKnown = read.text !== '' || read.loading || (read.sign_in && attempt >= SIGN_IN_ATTEMPTS);
        if (isKnown || isLast) return read;
        await pause(this.clock, ATTEMPT_MS);
      }
    } finally {
      changes.close();
    }
  }

  /** Returns the navigation of the active page that began last. Undefined if there was none. */
  async newestNavigation(): Promise<Navigation | undefined> {
    const { pages } = this.#needed().devices;
    const page = await pages.front();
    return page && pages.navigations.newest(page);
  }

  /**
   * Waits until the active page shows the document to which it navigates. Returns true if it still shows
   * another document after this time.
   *
   * @param milliseconds longest wait
   * @param stopped ends the wait early
   */
  async isLoading(milliseconds: number, stopped?: Promise<void>): Promise<boolean> {
    const { pages } = this.#needed().devices;
    const page = await pages.front();
    const loaded = page && pages.navigations.of(page)?.then(() => false);
    if (!loaded) return false;
    const either = stopped ? Promise.race([loaded, stopped.then(() => true)]) : loaded;
    return withTimeout(either, milliseconds, () => true, this.clock);
  }

  /**
   * Reads the text of the active page once. Returns undefined if the page does not answer, and `another page`
   * if the text would be that of a page that is not active any more.
   *
   * @param blocked true if a dialog blocks the page
   * @param changed resolves when a dialog opens or closes, which ends the wait
   */
  async #text(
    seesMasked: () => boolean,
    blocked: boolean,
    changed: Promise<void>,
    { after, links = false }: TextChoice,
  ): Promise<AccessibilityText | 'another page' | undefined> {
    const browser = this.#needed();
    const { accessibility } = browser;
    const loading = !blocked && (await this.isLoading(COMPLETE_TIMEOUT_MS, changed));
    // A page that has crashed answers nothing until it is loaded again. A pending load is the exception.
    if (!blocked && !loading && (await this.#isCrashed())) return undefined;
    const timeout = blocked || loading ? BLOCKED_TIMEOUT_MS : COMPLETE_TIMEOUT_MS;
    const complete = await Promise.race([this.#read(browser, timeout), changed.then(() => false)]);
    const found = blocked || loading ? undefined : this.#findClickable(browser);
    const { session, ...page } = await aboutPage(browser);
    await Promise.race([found, changed]);
    const { tree } = accessibility;
    const about = { ...page, ...(loading && { loading }) };
    const root = tree?.root;
    if (root && session && root.session !== session) return 'another page';
    // The reader may have lost the role while the tree was read.
    const unmasked = seesMasked();
    // Masked content can be removed only after the whole tree was read. Before that, it could appear as part
    // of another node.
    const mayBeRead = complete || unmasked || !accessibility.masking;
    if (!tree || !root || !mayBeRead)
      return blocked || loading ? { text: '', complete: false, ...about } : undefined;
    const secrets = !unmasked && tree.secrets.size > 0 ? new Secrets(tree) : undefined;
    const isClickable = (known: TreeNode) => this.#clickable.has(known);
    const node = (id: number): TextNode | undefined => {
      const known = tree.node(id);
      const clickable = known !== undefined && isClickable(known);
      if (!known || (known.ignored && !clickable)) return undefined;
      const readable = readableNode(tree, known, secrets, isClickable);
      // An address can contain the content of a masked field in another form, for example encoded.
      const url = links && !secrets ? known.facts.url : undefined;
      return readable && { ...readable, ...(clickable && { clickable }), ...(url !== undefined && { url }) };
    };
    const part = textOfTree(root.id, node, tree.focus?.id, after);
    if (!part) throw nodeGone(after ?? root.id);
    const { text, whole, last } = part;
    const asks = !blocked && !loading && after === undefined;
    const frame = asks && (text === '' || ONLY_FRAME.test(text)) ? await mainFrameOf(browser) : undefined;
    return {
      ...{ text, complete: complete && whole, ...about },
      ...(last !== undefined && last !== after && { next: `e${last}` }),
      ...(text === '' && asksToSignIn(frame) && { sign_in: true }),
      ...(text !== '' && frame?.mimeType === 'application/pdf' && { pdf: true }),
    };
  }

  /** Finds the elements that are clickable without a role. A page that cannot answer keeps those it had. */
  async #findClickable({ accessibility }: ComputerBrowser): Promise<void> {
    if (accessibility.tree) this.#clickable = await clickableElements(accessibility.tree);
  }

  /** Throws {@link CallError} if no browser runs now. */
  needBrowser(): void {
    this.#needed();
  }

  /**
   * Updates the tree before an action uses a node. Rejects with {@link CallError}, also while the page cannot
   * answer because it has a dialog open or waits for a web server.
   */
  async nodes(): Promise<ComputerBrowser> {
    const browser = this.#needed();
    if (!browser.accessibility.tree)
      throw new CallError('err_node_gone', 'No references are known. Read the text of the page first.');
    const { pages } = browser.devices;
    const page = await pages.front();
    const dialog = page && pages.dialogs.of(page);
    if (dialog) throw dialogOpen(dialog.type);
    if (await this.isLoading(COMPLETE_TIMEOUT_MS)) throw new CallError('err_node_gone', LOADING);
    if (await this.#isCrashed()) throw pageCrashed();
    await this.#read(browser);
    return browser;
  }

  close(): void {
    this.browserIsGone();
  }

  #needed(): ComputerBrowser {
    if (!this.#browser) throw browserUnavailable();
    return this.#browser;
  }

  /** True if the active page has crashed and was not loaded again. */
  async #isCrashed(): Promise<boolean> {
    const { pages } = this.#needed().devices;
    const page = await pages.front();
    return page !== undefined && pages.crashes.has(page);
  }

  #read({ accessibility }: ComputerBrowser, timeout = COMPLETE_TIMEOUT_MS): Promise<boolean> {
    this.#linger?.cancel();
    accessibility.want(true, this);
    this.#linger = this.clock.setTimeout(() => accessibility.want(false, this), LINGER_MS);
    return accessibility.whenComplete(timeout);
  }
}

/** Address and title of the active page, and its CDP session if it has answered. */
interface AboutPage extends ShownAddress {
  session?: CdpSession;
}

/** Returns the address and the title of the active page. The browser answers, not the page. */
async function aboutPage({ devices }: ComputerBrowser): Promise<AboutPage> {
  const nothing = { url: '', title: '' };
  const asked = devices.pages
    .front()
    .then(async (page) => (page ? { ...(await shownAddress(page)), session: page } : nothing));
  const answered = asked.catch((error: unknown) => {
    if (error instanceof CdpError) return nothing;
    throw error;
  });
  return withTimeout(answered, TITLE_TIMEOUT_MS, () => nothing);
}

/** Returns the main frame of the active page. Undefined if the page does not answer. */
async function mainFrameOf({ devices }: ComputerBrowser): Promise<Protocol.Page.Frame | undefined> {
  const page = await devices.pages.front();
  const read = page?.send('Page.getFrameTree', {}, TITLE_TIMEOUT_MS);
  const answer = await read?.catch((error: unknown) => {
    if (error instanceof CdpError) return undefined;
    throw error;
  });
  return answer?.frameTree.frame;
}

/**
 * True if the browser asks for a user name and a password before it opens the address of the active page. Its
 * window is no part of the page. Until the answer, the browser shows an error page without text. All other
 * error pages have a text.
 */
function asksToSignIn(frame: Protocol.Page.Frame | undefined): boolean {
  return frame?.unreachableUrl !== undefined;
}
