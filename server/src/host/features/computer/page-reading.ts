import type { AccessibilityText } from 'cloud-browser/protocol';
import { withTimeout } from '../../../platform/time/timeout.js';
import { pause, type Clock, type Timer } from '../../../platform/time/clock.js';
import { readableNode } from '../../browser/accessibility/readable-node.js';
import { Secrets } from '../../browser/accessibility/secrets.js';
import { CdpError } from '../../browser/cdp/cdp-session.js';
import { browserUnavailable, CallError, pageUnresponsive } from '../../room/calls/call-error.js';
import { textOfTree } from './accessibility-text.js';
import type { ComputerBrowser } from './computer-browser.js';

/**
 * Timeout for reading the whole tree. After this time, the text contains only the part that was read.
 * Milliseconds.
 */
const COMPLETE_TIMEOUT_MS = 5_000;
/** The same timeout for a page with an open dialog. Such a page answers no new requests. Milliseconds. */
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

/** Reads the active page as text from its accessibility tree. */
export class PageReading {
  #browser: ComputerBrowser | undefined;
  #linger: Timer | undefined;

  constructor(private readonly clock: Clock) {}

  use(browser: ComputerBrowser): void {
    this.#browser = browser;
  }

  browserIsGone(): void {
    this.#linger?.cancel();
    this.#browser = undefined;
  }

  /**
   * Returns the text of the active page. Rejects with {@link CallError}.
   *
   * @param seesMasked returns true if the reader may read masked fields now
   * @param blocked true if a dialog blocks the page; the text then contains only the part that was already
   *   read
   */
  async text(seesMasked: () => boolean, blocked = false): Promise<AccessibilityText> {
    for (let attempt = 1; ; attempt++) {
      const read = await this.#text(seesMasked, blocked);
      // At first, the tree of a newly opened page is empty.
      if (read.text !== '' || attempt === ATTEMPTS || blocked) return read;
      await pause(this.clock, ATTEMPT_MS);
    }
  }

  async #text(seesMasked: () => boolean, blocked: boolean): Promise<AccessibilityText> {
    const browser = this.#needed();
    const { accessibility } = browser;
    const complete = await this.#read(browser, blocked ? BLOCKED_TIMEOUT_MS : COMPLETE_TIMEOUT_MS);
    const [{ tree }, page] = [accessibility, await aboutPage(browser)];
    const root = tree?.root;
    // The reader may have lost the role while the tree was read.
    const unmasked = seesMasked();
    // Masked content can be removed only after the whole tree was read. Before that, it could appear as part
    // of another node.
    const readable = complete || unmasked || !accessibility.masking;
    if (blocked && !(root && readable)) return { text: '', complete: false, ...page };
    if (!tree || !root || !readable) throw pageUnresponsive();
    const secrets = !unmasked && tree.secrets.size > 0 ? new Secrets(tree) : undefined;
    const node = (id: number) => {
      const known = tree.node(id);
      return known && !known.ignored ? readableNode(tree, known, secrets) : undefined;
    };
    const { text, whole } = textOfTree(root.id, node, tree.focus?.id);
    return { text, complete: complete && whole, ...page };
  }

  /** Throws {@link CallError} if no browser runs now. */
  needBrowser(): void {
    this.#needed();
  }

  /** Updates the tree before an action uses a node. Rejects with {@link CallError}. */
  async nodes(): Promise<ComputerBrowser> {
    const browser = this.#needed();
    if (!browser.accessibility.tree)
      throw new CallError('err_node_gone', 'No references are known. Read the text of the page first.');
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

  #read({ accessibility }: ComputerBrowser, timeout = COMPLETE_TIMEOUT_MS): Promise<boolean> {
    this.#linger?.cancel();
    accessibility.want(true, this);
    this.#linger = this.clock.setTimeout(() => accessibility.want(false, this), LINGER_MS);
    return accessibility.whenComplete(timeout);
  }
}

/** Returns the address and the title of the active page. The browser answers, not the page. */
async function aboutPage({ devices }: ComputerBrowser): Promise<{ url: string; title: string }> {
  const nothing = { url: '', title: '' };
  const asked = devices.pages.front().then(async (page) => {
    if (!page) return nothing;
    const { currentIndex, entries } = await page.send('Page.getNavigationHistory', {});
    const { url, title } = entries[currentIndex] ?? nothing;
    return { url, title };
  });
  const answered = asked.catch((error: unknown) => {
    if (error instanceof CdpError) return nothing;
    throw error;
  });
  return withTimeout(answered, TITLE_TIMEOUT_MS, () => nothing);
}
